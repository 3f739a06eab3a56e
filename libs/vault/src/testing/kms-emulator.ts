import { join } from 'node:path';
import { startOwn, type OwnServer } from '@opendsr-service/storage/testing';
import { isThere, programIn } from './program';

const PYTHON = programIn('kms-emulator', 'bin/python');
const SERVE = join(__dirname, 'kms-emulator/serve.py');

/** Whether tools/evidence/get-kms-emulator.sh has fetched it. */
export const hasKmsEmulator = (): boolean => isThere(PYTHON);

/** Starts the KMS of LocalStack, which takes any credentials. */
export async function startKmsEmulator(): Promise<{ readonly url: string; readonly server: OwnServer }> {
  const server = startOwn(PYTHON, ['-W', 'ignore', SERVE]);
  return { url: await server.line((line) => line.startsWith('http://')), server };
}
