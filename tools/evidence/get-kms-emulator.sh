#!/usr/bin/env bash
# Puts the KMS of LocalStack, with the few packages that it alone needs, from PyPI into reports/kms-emulator/. Done at once where it is there
# already. Never fails a run: where it cannot be got, this says so in one line, and the spec of AWS KMS says what did not run.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder="$PWD/reports/kms-emulator"
[ -x "$folder/bin/python" ] && exit 0

made="$folder.$$"
mkdir -p "$PWD/reports"
trap 'rm -rf "$made"' EXIT
# The environment is made in its place at the end: its programs are not used, its Python finds its packages beside it.
said="$({
  python3 -m venv "$made" &&
    timeout 120 "$made/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: \
      -r libs/vault/src/testing/kms-emulator/requirements.txt &&
    mv "$made" "$folder"
} 2>&1)" || echo "No KMS of LocalStack, for the tests of AWS KMS: $(tail -n 1 <<<"$said")"
exit 0
