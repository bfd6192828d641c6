#!/bin/sh
# One call over the bare socket; every message ends with a NUL.
socket=${STEPPERD_ADDRESS:-${XDG_RUNTIME_DIR-}/stepperd/org.stepperd}
[ -n "${STEPPERD_ADDRESS-}" ] || [ -e "$socket" ] || socket=/run/stepperd/org.stepperd
printf '{"method":"org.stepperd.control.Get","parameters":{"control":"volume"}}\0' |
  socat - "UNIX-CONNECT:${socket#unix:}" | tr '\0' '\n'
