#!/bin/sh
# Runs a command each day at BACKUP_AT (UTC, 03:30 by default).
#   nightly.sh COMMAND...
set -eu

at=${BACKUP_AT:-03:30}
# Without this, a shell that is process 1 ignores the signal to stop.
trap 'exit 0' TERM INT
while true; do
  now=$(date -u +%s)
  next=$(date -u -d "$(date -u +%Y-%m-%d) $at" +%s)
  [ "$next" -gt "$now" ] || next=$((next + 86400))
  # In the background, so that the signal interrupts the wait.
  sleep $((next - now)) &
  wait $!
  "$@" || echo "Failed: $*" >&2
done
