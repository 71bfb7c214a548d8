#!/bin/sh
# Runs a command each day at BACKUP_AT (UTC, 03:30 by default). With FIRST_DUMP_IN, a folder, also at once when the folder
# has no dump, and again until it has one: a new database is not ready at once.
#   nightly.sh COMMAND...
set -eu

at=${BACKUP_AT:-03:30}
# Without this, a shell that is process 1 ignores the signal to stop.
trap 'exit 0' TERM INT
# In the background, so that the signal interrupts the wait.
pause() {
  sleep "$1" &
  wait $!
}
until [ -z "${FIRST_DUMP_IN:-}" ] || ls "$FIRST_DUMP_IN"/kilim-*.dump >/dev/null 2>&1; do
  "$@" || pause 10
done
while true; do
  now=$(date -u +%s)
  next=$(date -u -d "$(date -u +%Y-%m-%d) $at" +%s)
  [ "$next" -gt "$now" ] || next=$((next + 86400))
  pause $((next - now))
  "$@" || echo "Failed: $*" >&2
done
