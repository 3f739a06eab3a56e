#!/usr/bin/env bash
# Installs Podman and runc from Debian's packages where they are missing and that is possible, for the run on a real Kubernetes. Never fails a run: without
# Podman `npm test` says so, or fails where DSR_REQUIRE_CLUSTER=1.
set -uo pipefail
command -v podman >/dev/null && command -v runc >/dev/null && exit 0
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0
install=(apt-get install -qq --yes --no-install-recommends podman runc)
{ "${install[@]}" || { apt-get update -qq && "${install[@]}"; }; } >/dev/null 2>&1
exit 0
