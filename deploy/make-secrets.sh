#!/bin/sh
# Makes the secrets of an installation in deploy/secrets, each in a file. A file that exists is never changed.
#   deploy/make-secrets.sh
set -eu
cd "$(dirname "$0")"

# The folder is closed to other users of this machine. The files are open, because the server in its container is an ordinary user.
mkdir -p -m 700 secrets
cd secrets

write() {
  [ ! -e "$1" ] || return 0
  cat >"$1.new"
  chmod 444 "$1.new"
  mv "$1.new" "$1"
  echo "Made deploy/secrets/$1"
}

random() { openssl rand -hex 24; }

random | write owner-password
random | write app-password
random | write verify-password
echo "postgres://kilim_owner:$(cat owner-password)@postgres:5432/kilim" | write migration-database-url
echo "postgres://kilim:$(cat app-password)@postgres:5432/kilim" | write database-url
echo "postgres://kilim_verify:$(cat verify-password)@postgres:5432/kilim" | write verify-database-url
openssl genpkey -algorithm ed25519 -outform der | base64 | tr -d '\n' | write ledger-signing-key
openssl rand -base64 18 | write admin-password
openssl rand -base64 32 | write second-factor-key
random | write metrics-token

for name in square-access-token square-webhook-signature-key; do
  [ -s $name ] || echo "Write Square's value into deploy/secrets/$name"
done
