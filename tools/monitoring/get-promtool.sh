#!/usr/bin/env bash
# Puts promtool into reports/promtool/ from Debian's package `prometheus`: needs no root, installs nothing, and leaves apt's own files alone.
# Done at once where it is there already. Never fails a run: what went wrong lies in why-not.txt, and the specs that need promtool say it.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder="$PWD/reports/promtool"
[ -n "${DSR_TEST_PROMTOOL-}" ] || command -v promtool >/dev/null || [ -x "$folder/promtool" ] && exit 0

mkdir -p "$folder"
work="$(mktemp -d "${TMPDIR:-/tmp}/opendsr-promtool-XXXXXX")" || exit 0
trap 'rm -rf "$work"' EXIT
patience=(-qq -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o APT::Sandbox::User="$(id -un)")
# Lists of our own, for where those of the machine are missing, old, or not ours to renew.
own=(-o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o Debug::NoLocking=1)

get() {
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial" && cd "$work" || return 1
  timeout 60 apt-get "${patience[@]}" download prometheus 2>/dev/null ||
    { timeout 90 apt-get "${patience[@]}" "${own[@]}" update && timeout 60 apt-get "${patience[@]}" "${own[@]}" download prometheus; } || return 1
  dpkg-deb --fsys-tarfile prometheus_*.deb | tar -xf - ./usr/bin/promtool && usr/bin/promtool --version >/dev/null
}

if (get) >"$work/said" 2>&1; then
  # Renamed within one folder, so that nobody finds half a program.
  cp "$work/usr/bin/promtool" "$folder/.promtool.$$" && mv "$folder/.promtool.$$" "$folder/promtool" && rm -f "$folder/why-not.txt"
else
  { echo "Debian's package prometheus could not be fetched."; tail -n 5 "$work/said"; } >"$folder/why-not.txt"
fi
exit 0
