# Target `service`: the embedded Data-Grid Service. Target `trial`: puts this package and the examples into n8n.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
ARG N8N_IMAGE=docker.n8n.io/n8nio/n8n:2.41.1

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY scripts/container scripts/container
RUN node scripts/container/keepPackages.mjs build service \
	&& npm install --no-save --no-audit --no-fund
COPY . .
RUN node_modules/.bin/gulp

FROM build AS packages
RUN node scripts/container/keepPackages.mjs service && npm prune --no-save

FROM ${NODE_IMAGE} AS service
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /build/node_modules node_modules
COPY --from=build /build/dist-service dist-service
COPY LICENSE package.json ./
# The folder of the data file, and of relative paths: `backup /backup/monday.db` finds both.
RUN mkdir /data /backup && chown node:node /data /backup
WORKDIR /data
VOLUME /data
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
	CMD ["node", "-e", "fetch('http://127.0.0.1:8080/api/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist-service/main.js"]
CMD ["--host", "0.0.0.0", "--port", "8080"]

FROM ${N8N_IMAGE} AS trial
COPY --from=build /build/dist /opt/datagrid/package/dist
COPY package.json README.md LICENSE /opt/datagrid/package/
COPY examples /opt/datagrid/examples
COPY --from=build /build/node_modules/zod /opt/datagrid/node_modules/zod
COPY scripts/container/trial.mjs /opt/datagrid/
USER node
ENTRYPOINT ["node", "/opt/datagrid/trial.mjs"]
