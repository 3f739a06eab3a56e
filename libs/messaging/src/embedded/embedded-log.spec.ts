import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logContract } from '../log.contract';
import type { LogBed } from '../log.contract';
import { readContract } from '../read.contract';
import { readKeyContract } from '../read-key.contract';
import { tracedLogContract } from '../tracing/traced-log.contract';

function setUp(): Promise<LogBed> {
  const folder = mkdtempSync(join(tmpdir(), 'log-'));
  return Promise.resolve({
    open: { embedded: { file: join(folder, 'log.db') } },
    partitions: 1,
    close: () => rmSync(folder, { recursive: true }),
  });
}

logContract('the embedded log', setUp);
readContract('the embedded log', setUp);
readKeyContract('the embedded log', setUp);
tracedLogContract('the embedded log', setUp);
