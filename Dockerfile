# syntax=docker/dockerfile:1
ARG NODE_IMAGE=node:20.20-bookworm-slim@sha256:6c51af7dc83f4708aaac35991306bca8f478351cfd2bda35750a62d7efcf05bb

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/npm-cache npm ci --omit=dev --cache /npm-cache

FROM dependencies AS build
ENV NEXT_TELEMETRY_DISABLED=1
COPY next.config.ts postcss.config.mjs prisma.config.ts tsconfig.json ./
COPY proxy.ts instrumentation.ts instrumentation-client.ts ./
COPY prisma prisma
COPY scripts scripts
RUN node scripts/prisma.mjs generate
COPY prompts prompts
COPY lib lib
COPY workers workers
COPY cli cli
RUN node scripts/bundle.mjs
COPY app app
RUN node node_modules/next/dist/bin/next build && rm -rf .next/cache

FROM ${NODE_IMAGE} AS base
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
# Owned by root: the service cannot change its own code.
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/generated generated
COPY package.json package-lock.json next.config.ts prisma.config.ts tsconfig.json ./
COPY prisma prisma
COPY scripts scripts
COPY prompts prompts
COPY lib lib
COPY cli cli
COPY workers workers
COPY --from=build /app/dist dist
CMD ["node", "scripts/serve.mjs", "web"]

FROM base AS control-plane
COPY app app
COPY docs docs
COPY --from=build /app/.next .next
RUN install -d -o node -g node .data .next/cache \
 && install -d -o node -g node -m 0700 /var/lib/tierwatch-audit
USER node
EXPOSE 3000

FROM base AS runner
# A version that the contract tests cover: docs/deployment.md.
ARG CLAUDE_VERSION=2.1.330
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap ca-certificates curl dnsutils git openssh-client procps \
 && rm -rf /var/lib/apt/lists/* \
 && npm install --prefix /opt/claude --ignore-scripts --no-audit --no-fund \
      "@anthropic-ai/claude-code-linux-$(node -p process.arch)@${CLAUDE_VERSION}" \
 && ln -s /opt/claude/node_modules/@anthropic-ai/claude-code-linux-*/claude /usr/local/bin/claude \
 && install -d -o node -g node -m 0700 /var/lib/tierwatch-runner
ENV TIERWATCH_RUNNER_DIR=/var/lib/tierwatch-runner CLAUDE_BIN=/usr/local/bin/claude
USER node
CMD ["node", "scripts/serve.mjs", "runner"]
