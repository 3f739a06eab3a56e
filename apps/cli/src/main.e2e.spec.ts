import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { LogRecord } from '@opendsr-service/messaging';
import { Replica } from '@opendsr-service/messaging/testing';
import { systemClock } from '@opendsr-service/service';
import { Stores } from './testing/stores';

const record = (offset: number): LogRecord => ({
  topic: 'dsr.request-events.v1',
  partition: 0,
  offset: String(offset),
  key: `key ${offset}`,
  value: Buffer.from('{}'),
  headers: {},
  timestampMs: 7,
});

/** As `npm run build` makes it. */
const main = join(__dirname, '../dist/main.mjs');
const env = { PATH: process.env.PATH };

it('ends quietly with 1, for not all was written, where nobody reads on, as under head', async () => {
  const stores = await Stores.open();
  try {
    const gateway = new Replica({
      connection: await stores.database('gateway'),
      group: 'gateway',
      now: () => systemClock.now().getTime(),
      answer: () => Promise.resolve({ park: 'odd' }),
    });
    await gateway.consume(record(1), record(2));
    const child = spawn(process.execPath, [main, 'parked', 'list'], {
      env: { ...env, DATA_DIR: stores.dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const [complaint, [code]] = await Promise.all([
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    expect([code, complaint]).toEqual([1, '']);
  } finally {
    await stores.close();
  }
});

/** What makes a process take its own output late, as a pipe does whose reader is slow. */
const slowly = `--import=data:text/javascript,${encodeURIComponent(`
  const { stdout } = process;
  for (const name of ['_write', '_writev']) {
    const write = stdout[name].bind(stdout);
    stdout[name] = (...all) => setTimeout(write, 200, ...all);
  }
`)}`;

it('writes all before it ends, where its reader is slow', () => {
  const help = (more: object) =>
    spawnSync(process.execPath, [main, '--help'], { env: { ...env, ...more }, encoding: 'utf8' });
  const { status, stdout } = help({ NODE_OPTIONS: slowly });
  expect([status, stdout]).toEqual([0, help({}).stdout]);
});

it('reads the standard input where a file is named -', () => {
  const vectors = join(__dirname, '../../../libs/client/vectors/attestations');
  const vector = JSON.parse(readFileSync(join(vectors, 'good-bundle.json'), 'utf8')) as { file_base64: string };
  const { status, stdout } = spawnSync(process.execPath, [main, 'attestation', 'show', '-'], {
    ...{ env, encoding: 'utf8', input: Buffer.from(vector.file_base64, 'base64') },
  });
  expect([status, stdout.split('\n')[0]]).toEqual([
    0,
    '  request        475974fa-6b42-4370-bb56-b5d845686bb5, erasure, version 2.0',
  ]);
});

it('ends with 1 and a line where what it says cannot be written', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [main, '--help'], {
    env,
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect([status, stderr]).toEqual([1, 'dsr: the disk is full (ENOSPC)\n']);
});
