#!/bin/sh
# One call over the bare socket; every message ends with a NUL.
# It is made to the first daemon that listens: that of STEPPERD_ADDRESS, or of the user and of the system.
if [ -n "${STEPPERD_ADDRESS-}" ]; then
  set -- "${STEPPERD_ADDRESS#unix:}"
else
  set -- "${XDG_RUNTIME_DIR-}/stepperd/org.stepperd" /run/stepperd/org.stepperd
fi
for address; do
  printf '{"method":"org.stepperd.control.Get","parameters":{"control":"volume"}}\0' |
    socat - "UNIX-CONNECT:${address%%;*}" && break
done | tr '\0' '\n'
