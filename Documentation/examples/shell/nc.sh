#!/bin/sh
# Another call with OpenBSD's netcat; -N shuts down the sending side after it.
socket=${STEPPERD_ADDRESS:-${XDG_RUNTIME_DIR-}/stepperd/org.stepperd}
[ -n "${STEPPERD_ADDRESS-}" ] || [ -e "$socket" ] || socket=/run/stepperd/org.stepperd
printf '{"method":"org.stepperd.control.Step","parameters":{"control":"volume","steps":3}}\0' |
  nc -N -U "${socket#unix:}" | tr '\0' '\n'
