# For the scripts of this folder, which run in the folder above.
set -eu
cd "$(dirname "$0")/.."

fail() {
  echo "$*" >&2
  exit 1
}

docker info >/dev/null 2>&1 || fail 'Docker does not answer. Install it (https://docs.docker.com/engine/install), and run this as a user who may use it.'
if docker compose version >/dev/null 2>&1; then
  compose() { docker compose "$@"; }
elif command -v docker-compose >/dev/null; then
  compose() { docker-compose "$@"; }
else
  fail 'Docker Compose is missing: install the package docker-compose-plugin.'
fi

# setting NAME: its value in .env.
setting() { sed -n "s/^$1='\{0,1\}\([^']*\)'\{0,1\}\$/\1/p" .env | tail -n 1; }

servers() {
  count=$(setting SERVERS)
  echo "${count:-2}"
}

start() {
  compose up --detach --no-build || {
    compose logs --tail 20 bff >&2
    fail 'Not everything started: the lines above say why.'
  }
  wait_until_healthy
}

# Until every server is healthy, for three minutes.
wait_until_healthy() {
  for _ in $(seq 90); do
    states=$(compose ps -q bff | xargs docker inspect --format '{{.State.Health.Status}}' | sort -u)
    [ "$states" != healthy ] || return 0
    sleep 2
  done
  compose logs --tail 20 bff >&2
  fail "The servers are $states instead of healthy. Their last lines are above."
}

# Through Caddy, for a minute: the first certificate takes some seconds. That of localhost is Caddy's own.
wait_for_certificate() {
  for _ in $(seq 30); do
    said=$(in_server node --eval "
      const asked = { host: 'caddy', servername: '$1', path: '/readyz', headers: { host: '$1' }, rejectUnauthorized: '$1' !== 'localhost' };
      require('node:https').get(asked, ({ statusCode }) => { console.log(statusCode); process.exit(); })
        .on('error', ({ message }) => { console.log(message); process.exit(); });") || said="$said"
    [ "$said" != 200 ] || return 0
    sleep 2
  done
  compose logs --tail 20 caddy >&2
  fail "https://$1 does not answer: $said. Its DNS name must lead to this machine, and ports 80 and 443 must be open. The last lines of Caddy are above."
}

backup_now() { compose run --rm backup backup.sh /backups; }

doctor() { in_server node bff/src/start/cli/doctor.ts; }

# In any of the servers: after an update there is none with the number 1.
in_server() { docker exec "$(compose ps -q bff | head -n 1)" "$@"; }
