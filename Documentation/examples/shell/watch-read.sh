#!/bin/sh
# Runs a command at every change, without jq.
stepperctl watch volume | while read -r control value rest; do
  printf '%s is now %s\n' "$control" "$value"
done
