import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awsCredentials } from './testing/aws-credentials';
import { hasKmsEmulator, startKmsEmulator } from './testing/kms-emulator';
import { keyServiceContract } from './key-service.contract';

// A service with AWS's API that runs already, or LocalStack's, which takes any credentials: the refused ones name none.
const { DSR_TEST_KMS_URL: given } = process.env;
const isThere = given !== undefined || hasKmsEmulator();

if (!isThere)
  console.log('No KMS of LocalStack (tools/evidence/get-kms-emulator.sh): AWS KMS was tried on our own stub alone.');

(isThere ? describe : describe.skip)('AWS KMS', () => {
  let folder: string;
  let url: string;
  let stop: (() => Promise<void>) | undefined;
  const optionsWith = (file: string, key: string) =>
    ({ type: 'aws-kms', region: 'eu-west-1', url, credentialsFile: join(folder, file), key }) as const;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'aws-kms-'));
    writeFileSync(join(folder, 'credentials'), awsCredentials('test'));
    if (given !== undefined) url = given;
    else {
      const { server, ...emulator } = await startKmsEmulator();
      [url, stop] = [emulator.url, () => server.stop()];
    }
  });
  afterAll(async () => {
    await stop?.();
    rmSync(folder, { recursive: true });
  });

  keyServiceContract(() => ({
    options: (key) => optionsWith('credentials', key),
    refused: (key) => optionsWith('missing', key),
    notSealed: Buffer.alloc(60, 7).toString('base64'),
  }));
});
