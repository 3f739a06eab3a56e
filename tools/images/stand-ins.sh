#!/usr/bin/env bash
# Makes stand-ins of the public images of docker/compose.yaml, for a machine that can pull nothing: after base.sh, from the servers
# in the folder that is named (DSR_TEST_SERVERS by default). Images that are there already are left alone.
#   opendsr-kafka:local    instead of apache/kafka: the same environment, user that is not root, and volume
#   opendsr-mongod:local   instead of mongo: the same command line, with mongosh
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
servers="${1:-${DSR_TEST_SERVERS:?names the folder of the servers}}"
base="${BASE:-opendsr-build-base:local}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

exists() { docker image inspect "$1" >/dev/null 2>&1; }
build() { DOCKER_BUILDKIT=0 docker build --quiet --network host --build-arg "BASE=$base" -f "$2" -t "$1" "$3" >/dev/null; }

kafka() {
  mkdir "$work/kafka"
  cp -r "$servers/kafka" "$work/kafka/kafka"
  install -m 755 "$here/kafka/run" "$work/kafka/run"
  build "$1" "$here/kafka/Dockerfile" "$work/kafka"
}

mongod() {
  mkdir -p "$work/mongod/mongosh"
  xz -dc "$servers"/mongod-*.xz >"$work/mongod/mongod"
  chmod 755 "$work/mongod/mongod"
  npm install --prefix "$work/mongod/mongosh" --ignore-scripts --omit=optional --no-audit --no-fund --loglevel=error mongosh@2.12.0 >/dev/null
  build "$1" "$here/mongod/Dockerfile" "$work/mongod"
}

exists opendsr-kafka:local || kafka opendsr-kafka:local
exists opendsr-mongod:local || mongod opendsr-mongod:local
