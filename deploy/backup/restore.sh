#!/bin/sh
# Restores a dump of backup.sh into an empty database: the newest one, or the named one.
#   restore.sh FOLDER [FILE]
# The variables are those of backup.sh. Run `npm run migrate` afterwards, before any server starts.
set -eu

folder=${1:?Usage: restore.sh FOLDER [FILE]}
if [ -n "${PGPASSWORD_FILE:-}" ]; then PGPASSWORD=$(cat "$PGPASSWORD_FILE"); fi
export PGPASSWORD

fail() {
  echo "$*" >&2
  exit 1
}

file=${2:-}
# The names sort by time.
[ -n "$file" ] || file=$(find "$folder" -name 'kilim-*.dump' | sort | tail -n 1)
[ -n "$file" ] || fail "There is no dump in $folder."
[ -e "$file" ] || file=$folder/$file
[ -r "$file" ] || fail "There is no dump $file."

run() { psql --no-psqlrc --no-password --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --command="$1"; }

[ "$(run "select count(*) from pg_namespace where nspname in ('kilim', 'ledger')")" = 0 ] ||
  fail "The database is not empty. A dump is restored into an empty one only: docker compose down, docker volume rm ..._postgres"
echo "Restoring $file"
# The roles that the dump grants rights to. They belong to the cluster, so no dump of a database creates them.
for role in kilim_report kilim_server kilim_verifier; do
  [ -n "$(run "select 1 from pg_roles where rolname = '$role'")" ] || run "create role $role nologin"
done
# All or nothing.
pg_restore --no-password --exit-on-error --single-transaction --dbname="${PGDATABASE:-kilim}" "$file"
run 'analyze'
echo "Restored $(run 'select count(*) from ledger.event') events. Migrate now, before any server starts."
