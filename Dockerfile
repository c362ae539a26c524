# The kit as an image, from a clone or from an archive of the source:
#   docker build --tag a2a-tck .
#   docker run --rm --network host a2a-tck --url http://localhost:4000
# The first stage builds the package, and installs what it depends on as package-lock.json has it. The second has these
# files and Node alone.
FROM node:24.19.0-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
 && npm run build \
 && npm pack --ignore-scripts --pack-destination /source
WORKDIR /kit
RUN tar -xzf /source/a2a-tck-*.tgz --strip-components 1 \
 && cp /source/package-lock.json . \
 && npm ci --omit=dev --omit=peer --omit=optional --ignore-scripts --no-audit --no-fund \
 && rm -r package-lock.json docs

FROM node:24.19.0-bookworm-slim
LABEL org.opencontainers.image.title="a2a-tck" \
      org.opencontainers.image.description="Conformance test kit and fuzzer for the Agent2Agent (A2A) protocol" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /kit /kit
RUN ln -s /kit/dist/bundle/cli.js /usr/local/bin/a2a-tck
USER 1000:1000
WORKDIR /home/node
ENTRYPOINT ["a2a-tck"]
