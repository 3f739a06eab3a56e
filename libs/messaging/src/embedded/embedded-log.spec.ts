import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logContract } from '../log.contract';

logContract('the embedded log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  return Promise.resolve({ open: { embedded: { file: join(folder, 'log.db') } }, partitions: 1, close: () => rmSync(folder, { recursive: true }) });
});
