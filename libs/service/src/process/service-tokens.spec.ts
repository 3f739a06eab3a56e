import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../logger/logger';
import { openServiceTokens, readServiceTokens } from './service-tokens';

const [old, next] = ['o'.repeat(32), 'n'.repeat(32)] as const;

describe('the tokens of calls between services', () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-tokens-'));
  const file = join(folder, 'token');
  const holding = (text: string): string => {
    writeFileSync(file, text);
    return file;
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['one', `${old}\n`, [old]],
    ['one without an end of line', old, [old]],
    ['two, in their order', `${old}\n${next}\n`, [old, next]],
  ])('are read from a file with %s', async (_what, text, tokens) => {
    expect(await readServiceTokens(holding(text))).toEqual(tokens);
  });

  it.each([
    ['nothing', '\n'],
    ['a short one', `${old}\n${'s'.repeat(31)}\n`],
    ['two on one line', `${old} ${next}`],
  ])('prevent the start where the file holds %s, and are not shown', async (_what, text) => {
    const message = `each line of ${file} must hold one word of at least 32 characters`;
    await expect(readServiceTokens(holding(text))).rejects.toThrow(new RegExp(`^${message}$`));
  });

  it('are replaced while the process runs, within a second: the file is not read for each call', async () => {
    let nowMs = 0;
    const tokens = await openServiceTokens(holding(old), silentLogger, () => nowMs);
    const seen = async (atMs: number) => {
      nowMs = atMs;
      return tokens();
    };
    holding(`${old}\n${next}`);
    expect(await seen(999)).toEqual([old]);
    expect(await seen(1_000)).toEqual([old, next]);
    holding(next);
    expect(await seen(1_999)).toEqual([old, next]);
    expect(await seen(2_000)).toEqual([next]);
  });

  it('stay as they were, with a warning, while the file is not valid', async () => {
    const warnings: string[] = [];
    const log = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) };
    let nowMs = 0;
    const tokens = await openServiceTokens(holding(old), log, () => (nowMs += 1_000));
    holding('half a wri');
    expect(await tokens()).toEqual([old]);
    rmSync(file);
    expect(await tokens()).toEqual([old]);
    expect(warnings).toHaveLength(2);
    holding(next);
    expect(await tokens()).toEqual([next]);
  });
});
