import { createSecretKey, randomBytes } from 'node:crypto';
import { linkSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GenerationFiles } from './generation-files';

const masterKey = createSecretKey(randomBytes(32));
let folder: string;
let files: GenerationFiles;
const fileOf = (generation: number) => join(folder, `generation-${generation}.key`);
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'generations-')), 'made');
  files = new GenerationFiles(folder, masterKey);
});
afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true });
});

describe('the files of generations', () => {
  it('hold one secret for all processes that create it at once, for their owner only', async () => {
    await Promise.all(Array.from({ length: 8 }, () => new GenerationFiles(folder, masterKey).create(2)));
    const read = await Promise.all([files.read(2), new GenerationFiles(folder, masterKey).read(2)]);
    expect(read[0]?.export()).toEqual(read[1]?.export());
    expect([statSync(folder).mode & 0o777, statSync(fileOf(2)).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readdirSync(folder)).toEqual(['generation-2.key']);
    expect(await files.read(3)).toBeUndefined();
  });

  it('open only with the master key', async () => {
    await files.create(2);
    const other = new GenerationFiles(folder, createSecretKey(randomBytes(32)));
    await expect(other.read(2)).rejects.toMatchObject({ kind: 'master-key-wrong' });
  });

  it('are overwritten before they are removed, and destroyed twice without a fault', async () => {
    await files.create(2);
    const secret = readFileSync(fileOf(2));
    const link = join(folder, 'another-name');
    linkSync(fileOf(2), link);
    await files.destroy(2);
    await files.destroy(2);
    expect(readdirSync(folder)).toEqual(['another-name']);
    expect(readFileSync(link)).toHaveLength(secret.length);
    expect(readFileSync(link).equals(secret)).toBe(false);
    expect(await files.read(2)).toBeUndefined();
  });

  it('say that they cannot be read, and never that they do not exist, where that is unknown', async () => {
    await files.create(2);
    const wrong = new GenerationFiles(fileOf(2), masterKey);
    await expect(wrong.read(2)).rejects.toMatchObject({ kind: 'generation-files' });
    await expect(wrong.destroy(2)).rejects.toMatchObject({ kind: 'generation-files' });
  });
});
