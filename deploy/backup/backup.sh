#!/bin/sh
# Writes a dump of the whole database into a folder, deletes the dumps that are too old, and tells the database, so that the
# back office says when no backup came for 26 hours.
#   backup.sh FOLDER
# PGHOST, PGDATABASE, PGUSER (the owner) and PGPASSWORD or PGPASSWORD_FILE name the database. BACKUP_KEEP_DAYS is 14 by default.
# pg_dump must be of PostgreSQL's own version or newer.
set -eu

folder=${1:?Usage: backup.sh FOLDER}
if [ -n "${PGPASSWORD_FILE:-}" ]; then PGPASSWORD=$(cat "$PGPASSWORD_FILE"); fi
export PGPASSWORD

umask 077
dump=$folder/kilim-$(date -u +%Y-%m-%dT%H-%M-%SZ).dump
trap 'rm -f "$dump.part"' EXIT
# The dump is one snapshot: it contains each order entirely or not at all. Counters of the rate limits are not worth keeping.
pg_dump --no-password --format=custom --lock-wait-timeout=60s --exclude-table-data=kilim.throttle --file="$dump.part"
pg_restore --list "$dump.part" | grep 'TABLE DATA ledger event ' >/dev/null || {
  echo 'The database has no ledger yet, so there is nothing to back up.' >&2
  exit 1
}
sync
mv "$dump.part" "$dump"
# Only now, so that a failing backup never deletes the last good one.
find "$folder" -name 'kilim-*.dump' -mtime "+${BACKUP_KEEP_DAYS:-14}" -exec rm -f {} +
echo "Wrote $dump, $(wc -c <"$dump") bytes."
psql --no-psqlrc --no-password --quiet --output=/dev/null --command="select ledger.beat(
  '{\"name\": \"backup\", \"limitSeconds\": 93600, \"meaning\": \"No backup was made.\"}', null)" ||
  echo 'The backup is made, but the back office will say that it is not.' >&2
