#!/usr/bin/env bash
# Builds a server of Vault from modules of the Go proxy into reports/transit-server/. Done at once where that of these sources is there already.
# Never fails a run: where it cannot be built, this says so in one line, and the spec of transit says what did not run.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder="$PWD/reports/transit-server"
cd libs/vault/src/testing/transit-server || exit 0
sources="$(cat go.mod go.sum main.go | cksum)"
[ "$(cat "$folder/sources" 2>/dev/null)" = "$sources" ] && exit 0

rm -rf "$folder"
mkdir -p "$folder"
echo 'Building a server of Vault, five CPU minutes the first time…'
if CGO_ENABLED=0 nice -n 10 go build -p 2 -trimpath -ldflags '-s -w' -o "$folder/transit-server" . >"$folder/said.txt" 2>&1; then
  echo "$sources" >"$folder/sources"
else
  echo "No server of Vault, for the tests of transit: $(tail -n 1 "$folder/said.txt")"
fi
exit 0
