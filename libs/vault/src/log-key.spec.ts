import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureLogKey, loadLogKey, logName } from './log-key';

const dir = mkdtempSync(join(tmpdir(), 'log-key-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});

it('is made once, for its owner alone, under the name of the log', async () => {
  const file = join(dir, 'keys', 'log.key');
  const made = await Promise.all([1, 2, 3].map(() => ensureLogKey(file, logName('dsr.example'))));
  expect(new Set(made.map(({ verifierKey }) => verifierKey))).toEqual(new Set([(await loadLogKey(file)).verifierKey]));
  expect(made[0]?.name).toBe('dsr.example/transparency');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('is refused where the file holds none, in words that show nothing of it', async () => {
  const file = join(dir, 'planted');
  writeFileSync(file, 'PRIVATE+KEY+planted+00000000+secret');
  const refused = loadLogKey(file);
  await expect(refused).rejects.toMatchObject({ kind: 'log-key-file' });
  await expect(refused).rejects.not.toThrow(/secret/);
  await expect(loadLogKey(join(dir, 'absent'))).rejects.toThrow(/absent cannot be read \(ENOENT\)/);
});
