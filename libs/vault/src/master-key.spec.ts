import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureMasterKey, loadMasterKey } from './master-key';
import { VaultError } from './vault-error';

const folder = mkdtempSync(join(tmpdir(), 'master-key-'));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(content: string | Buffer): string {
  const file = join(folder, randomBytes(6).toString('hex'));
  writeFileSync(file, content);
  return file;
}

describe('loading the master key', () => {
  const bytes = randomBytes(32);

  it.each([
    ['base64', bytes.toString('base64')],
    ['base64 and a line end', `${bytes.toString('base64')}\n`],
    ['base64url', bytes.toString('base64url')],
    ['hexadecimal', bytes.toString('hex')],
    ['hexadecimal in upper case', bytes.toString('hex').toUpperCase()],
  ])('reads %s', async (_, content) => {
    expect((await loadMasterKey(fileWith(content))).export()).toEqual(bytes);
  });

  it.each([
    ['an empty file', ''],
    ['31 bytes', randomBytes(31).toString('base64')],
    ['33 bytes', randomBytes(33).toString('base64')],
    ['two keys', `${bytes.toString('hex')}\n${bytes.toString('hex')}`],
    ['raw bytes', Buffer.alloc(32, 0x80)],
  ])('refuses %s with an error that names the file and not the content', async (_, content) => {
    const file = fileWith(content);
    const error: unknown = await loadMasterKey(file).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(VaultError);
    expect(error).toMatchObject({
      kind: 'master-key-file',
      message: `the master key file ${file} does not hold a key: expected 32 bytes as base64 or as 64 hexadecimal digits`,
    });
  });

  it('says why a file cannot be read', async () => {
    await expect(loadMasterKey(join(folder, 'absent'))).rejects.toThrow(/absent cannot be read \(ENOENT\)$/);
    await expect(loadMasterKey(folder)).rejects.toThrow(/cannot be read \(EISDIR\)$/);
  });
});

describe('the master key of the sandbox', () => {
  it('is readable by its owner only, and stable', async () => {
    const file = join(folder, 'sandbox', 'master.key');
    const made = await ensureMasterKey(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await ensureMasterKey(file)).equals(made)).toBe(true);
  });

  it('is one key for all concurrent callers, and leaves no drafts', async () => {
    const file = join(folder, 'race', 'master.key');
    const keys = await Promise.all(Array.from({ length: 20 }, () => ensureMasterKey(file)));
    expect(new Set(keys.map((key) => key.export().toString('hex'))).size).toBe(1);
    expect(readdirSync(join(folder, 'race'))).toEqual(['master.key']);
  });

  it('never replaces a file with other content', async () => {
    const file = fileWith('no key');
    chmodSync(file, 0o600);
    await expect(ensureMasterKey(file)).rejects.toThrow(VaultError);
    expect(readFileSync(file, 'utf8')).toBe('no key');
  });
});
