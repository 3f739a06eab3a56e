import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startOwn, type OwnServer } from '@opendsr-service/storage/testing';

const PYTHON = join(__dirname, '../../../../reports/kms-emulator/bin/python');
const SERVE = join(__dirname, 'kms-emulator/serve.py');

/** Whether tools/evidence/get-kms-emulator.sh has fetched it. Throws where it has not, and `DSR_REQUIRE_KMS=1` asks for it. */
export function hasKmsEmulator(): boolean {
  const isThere = existsSync(PYTHON);
  if (!isThere && process.env.DSR_REQUIRE_KMS === '1')
    throw new Error('the KMS of LocalStack is missing (reports/kms-emulator), and DSR_REQUIRE_KMS is set');
  return isThere;
}

/** Starts the KMS of LocalStack, which takes any credentials. */
export async function startKmsEmulator(): Promise<{ readonly url: string; readonly server: OwnServer }> {
  const server = startOwn(PYTHON, ['-W', 'ignore', SERVE]);
  return { url: await server.line((line) => line.startsWith('http://')), server };
}
