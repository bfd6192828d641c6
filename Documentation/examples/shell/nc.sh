#!/bin/sh
# Another call with OpenBSD's netcat; -N shuts down the sending side after it.
# It is made to the first daemon that listens: that of STEPPERD_ADDRESS, or of the user and of the system.
if [ -n "${STEPPERD_ADDRESS-}" ]; then
  set -- "${STEPPERD_ADDRESS#unix:}"
else
  set -- "${XDG_RUNTIME_DIR-}/stepperd/org.stepperd" /run/stepperd/org.stepperd
fi
for address; do
  printf '{"method":"org.stepperd.control.Step","parameters":{"control":"volume","steps":3}}\0' |
    nc -N -U "${address%%;*}" && break
done | tr '\0' '\n'
