import { requestEvents, participantReports, LaterMessage, type RequestEvent } from '@opendsr-service/contracts';
import { MemoryParking } from '../testing/memory-parking';
import type { LogRecord, Verdict } from '../records';
import { eachInOrder } from './each-in-order';
import { settleBatch } from './settle-batch';

const head = {
  id: '00000000-0000-5000-8000-000000000002',
  ws: 'acme',
  srid: '475974fa-6b42-4370-bb56-b5d845686bb5',
  version: 2,
  commandSeq: 2,
  at: '2026-11-21T09:00:00.000Z',
};
const { key, headers } = requestEvents.encode({ type: 'RequestCancelled', ...head });

/** An event as a later version may write it, and one that is known here behind it. */
const later: LogRecord = {
  topic: 't',
  partition: 0,
  offset: '0',
  key,
  headers: { ...headers, ce_type: 'org.opendsr-service.RequestPaused.v1' },
  value: Buffer.from(JSON.stringify({ ...head, type: 'RequestPaused' })),
  timestampMs: 0,
};
const known: LogRecord = {
  ...later,
  offset: '1',
  headers,
  value: Buffer.from(JSON.stringify({ ...head, type: 'RequestCancelled', version: 3 })),
};

async function settled(handle: (records: readonly LogRecord[]) => Promise<readonly Verdict[]>) {
  const parking = new MemoryParking();
  const lines: unknown[] = [];
  const skipped: unknown[] = [];
  const say = (...line: unknown[]) => void lines.push(line);
  const onSkipped = (...args: unknown[]) => void skipped.push(args);
  const settlement = await settleBatch([later, known], {
    group: 'g',
    handle,
    parking,
    isInfrastructureError: () => false,
    logger: { info: say, warn: say },
    onSkipped,
  });
  return { settlement, parked: parking.parked.length, lines, skipped };
}

const SKIPPED = {
  lines: [[{ group: 'g', topic: 't', count: 1, reason: 'later-version' }, 'records skipped']],
  skipped: [['t', 1]],
};

describe('a message of a type that a later version adds, as in a rolling upgrade', () => {
  it('is logged and counted if it cannot be read, but is not parked and blocks nothing', async () => {
    const verdict = (record: LogRecord): Promise<Verdict> =>
      record === later ? Promise.reject(new LaterMessage()) : Promise.resolve('done');
    expect(await eachInOrder([later, known], verdict)).toEqual(['later-version', 'done']);
    expect(await settled((records) => eachInOrder(records, verdict))).toEqual({
      settlement: { settled: 2 },
      parked: 0,
      ...SKIPPED,
    });
  });

  it('is not parked if a handler decodes the whole batch at once', async () => {
    const handle = (records: readonly LogRecord[]) =>
      Promise.resolve(
        records.map((record): Verdict => {
          if (record === later) participantReports.decode(record);
          return 'done';
        }),
      );
    expect(await settled(handle)).toEqual({ settlement: { settled: 2 }, parked: 0, ...SKIPPED });
  });

  it('is skipped by a handler that knows only other types, but its version counts', async () => {
    const versions: number[] = [];
    const verdicts = await eachInOrder([later, known], (record) => {
      const event: RequestEvent = requestEvents.decode(record);
      versions.push(event.version);
      return Promise.resolve(({ RequestCancelled: 'done' } as Record<string, Verdict>)[event.type] as Verdict);
    });
    expect([verdicts, versions]).toEqual([
      ['later-version', 'done'],
      [2, 3],
    ]);
  });
});
