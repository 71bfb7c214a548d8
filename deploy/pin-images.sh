#!/bin/sh
# Prints the digest of each image that the compose files use, as lines for .env:
#   deploy/pin-images.sh >> .env
# With these lines, a moved or replaced tag changes nothing: Docker accepts only the same bytes. Print them again, review and
# replace them to take updates of the base images.
set -eu

pin() {
  docker pull --quiet "$2" >/dev/null
  # Images that were built here have no digest: only a registry gives them one.
  digest=$(docker image inspect --format '{{range .RepoDigests}}{{println .}}{{end}}' "$2" | grep -m 1 '@sha256:') || {
    echo "$2 has no digest from a registry." >&2
    exit 1
  }
  # The tag is for readers; the digest decides.
  echo "$1=$2@${digest#*@}"
}

pin NODE_IMAGE node:24-bookworm-slim
pin POSTGRES_IMAGE postgres:18-alpine
pin CADDY_IMAGE caddy:2-alpine
pin PROMETHEUS_IMAGE prom/prometheus:v3.5.0
pin ALERTMANAGER_IMAGE prom/alertmanager:v0.28.1
