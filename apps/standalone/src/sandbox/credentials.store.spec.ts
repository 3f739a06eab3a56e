import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxCredentials } from './credentials.store';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'credentials-'));
});
afterEach(() => {
  rmSync(dataDir, { recursive: true });
});

const file = () => join(dataDir, 'sandbox-credentials.json');
const configured = { key: 'configured', secret: 'word' };

it('makes credentials once, for its owner alone', async () => {
  const made = await sandboxCredentials(dataDir, {});
  expect(await sandboxCredentials(dataDir, {})).toEqual(made);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

it('keeps configured ones, in a new file: the old one stays whole until the new one is', async () => {
  const made = await sandboxCredentials(dataDir, {});
  linkSync(file(), join(dataDir, 'old'));
  await sandboxCredentials(dataDir, configured);
  expect(await sandboxCredentials(dataDir, {})).toEqual(configured);
  expect(JSON.parse(readFileSync(join(dataDir, 'old'), 'utf8'))).toEqual(made);
  expect(readdirSync(dataDir).sort()).toEqual(['old', 'sandbox-credentials.json']);
});

it.each(['', '{"key":"planted"}', 'null'])(
  'names the file that does not hold them, and shows none of it: %j',
  async (text) => {
    writeFileSync(file(), text);
    const { message } = await sandboxCredentials(dataDir, {}).then(
      () => new Error('taken'),
      (error: Error) => error,
    );
    expect(message).toMatch(/^.*sandbox-credentials\.json does not hold the key and the secret/);
    expect(message).not.toContain('planted');
    expect(readFileSync(file(), 'utf8')).toBe(text);
  },
);
