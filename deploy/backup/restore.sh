#!/bin/sh
# Restores a dump of backup.sh into an empty database: the newest one, or the named one.
#   restore.sh FOLDER [FILE]
# The variables are those of backup.sh; PGUSER becomes the owner. Run `npm run migrate` afterwards, before any server starts.
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
[ -e "$file" ] || fail "There is no dump $file."
# Not [ -r ]: in a container root may lack the right to read everything, and BusyBox does not ask.
head -c 1 "$file" >/dev/null 2>&1 || fail "This user, $(id -un), may not read $file: it belongs to a user of another machine. chown 0:0 it."

run() { psql --no-psqlrc --no-password --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --command="$1"; }

found=$(run "select count(*) from pg_namespace where nspname in ('kilim', 'ledger')") ||
  fail "Nothing was restored, because the login ${PGUSER:-} cannot read the database ${PGDATABASE:-}: psql says why. With Docker Compose, 'docker compose run --rm login' makes this login and its password."
[ "$found" = 0 ] || fail "The database is not empty. A dump is restored into an empty one only. With Docker Compose: docker compose down, then docker volume rm ..._postgres"
echo "Restoring $file"
# The roles that the dump grants rights to. They belong to the cluster, so no dump of a database creates them.
for role in kilim_report kilim_server kilim_verifier; do
  [ -n "$(run "select 1 from pg_roles where rolname = '$role'")" ] || run "create role $role nologin"
done
[ "$(run "select pg_has_role('kilim_verifier', 'kilim_report', 'member')")" = t ] || run 'grant kilim_report to kilim_verifier'
# All or nothing.
pg_restore --no-password --no-owner --exit-on-error --single-transaction --dbname="${PGDATABASE:-kilim}" "$file"
# Without the warnings about tables of PostgreSQL itself.
run 'set client_min_messages = error; analyze'
echo "Restored $(run 'select count(*) from ledger.event') events. Migrate now, before any server starts."
