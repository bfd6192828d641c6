#!/bin/sh
# Follows a control; stepperctl prints one flushed JSON object a line and reconnects by itself.
stepperctl watch --json volume | jq --unbuffered -r '"\(.control) is \(.text // "unset"), turned \(.turned)"'
