#!/usr/bin/env bash
# Installs Podman from Debian's packages where it is missing and that is possible, for the run on a real Kubernetes. Never fails a run: without
# Podman `npm test` says so, or fails where DSR_REQUIRE_CLUSTER=1.
set -uo pipefail
command -v podman >/dev/null && exit 0
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0
install=(apt-get install -qq --yes --no-install-recommends podman)
{ "${install[@]}" || { apt-get update -qq && "${install[@]}"; }; } >/dev/null 2>&1
exit 0
