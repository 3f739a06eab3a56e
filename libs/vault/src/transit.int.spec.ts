import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyServiceContract } from './key-service.contract';

const { DSR_TEST_TRANSIT_URL: url, DSR_TEST_TRANSIT_TOKEN: token } = process.env;

if (!url || !token)
  console.log('No transit engine (DSR_TEST_TRANSIT_URL, DSR_TEST_TRANSIT_TOKEN): the key service was not tried.');

(url && token ? describe : describe.skip)('the transit engine', () => {
  let folder: string;
  const optionsWith = (text: string, key: string) => {
    const tokenFile = join(folder, `token-${randomBytes(4).toString('hex')}`);
    writeFileSync(tokenFile, `${text}\n`);
    return { type: 'transit', url: url ?? '', tokenFile, mount: 'transit', key } as const;
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'transit-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  keyServiceContract(() => ({
    options: (key) => optionsWith(token ?? '', key),
    refused: (key) => optionsWith('wrong', key),
    notSealed: 'vault:v1:AAAA',
  }));
});
