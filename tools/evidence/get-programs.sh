#!/usr/bin/env bash
# Gets the programs of the full form of the int suite that no spec fetches by itself, each once. What cannot be got is named in one line.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
./get-kms-emulator.sh
./get-transit-server.sh
exit 0
