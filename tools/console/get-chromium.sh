#!/usr/bin/env bash
# Installs Chromium's headless shell, or else Chromium, from Debian's packages where it is missing and that is possible, for the tests of the
# console in a browser. Never fails a run: without either `npm test` says so, or fails where DSR_REQUIRE_CONSOLE=1.
set -uo pipefail
[ -n "${DSR_TEST_CHROMIUM-}" ] || command -v chromium-headless-shell >/dev/null && exit 0
[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0
# Another installation of this machine may hold the lock of dpkg for a while.
install() { apt-get install -qq --yes --no-install-recommends -o DPkg::Lock::Timeout=120 "$1"; }
wanted() { install chromium-headless-shell || command -v chromium || install chromium; }
{ wanted || { apt-get update -qq && wanted; }; } >/dev/null 2>&1
exit 0
