import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awsCredentials } from './testing/aws-credentials';
import { keyServiceContract } from './key-service.contract';

// An emulator, such as LocalStack's. It takes any credentials, so the second ones name no account that it could open.
const { DSR_TEST_KMS_URL: url } = process.env;

if (!url) console.log('No AWS KMS (DSR_TEST_KMS_URL): the key service was tried on our own stub alone.');

(url ? describe : describe.skip)('AWS KMS', () => {
  let folder: string;
  const optionsWith = (file: string, key: string) =>
    ({ type: 'aws-kms', region: 'eu-west-1', url, credentialsFile: join(folder, file), key }) as const;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'aws-kms-'));
    writeFileSync(join(folder, 'credentials'), awsCredentials('test'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  keyServiceContract(() => ({
    options: (key) => optionsWith('credentials', key),
    refused: (key) => optionsWith('missing', key),
    notSealed: Buffer.alloc(60, 7).toString('base64'),
  }));
});
