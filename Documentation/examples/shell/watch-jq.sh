#!/bin/sh
# Follows a control; stepperctl prints one flushed JSON object per line and reconnects automatically.
stepperctl watch --json volume | jq --unbuffered -r '"\(.control) is \(.text // "unset"), turned \(.turned)"'
