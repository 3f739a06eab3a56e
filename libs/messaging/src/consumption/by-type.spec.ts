import { requestEvents, type RequestEvent } from '@opendsr-service/contracts';
import type { LogRecord } from '../records';
import { byType } from './by-type';

const head = {
  id: '00000000-0000-5000-8000-000000000002',
  ws: 'acme',
  srid: '475974fa-6b42-4370-bb56-b5d845686bb5',
  version: 2,
  commandSeq: 2,
  at: '2026-11-21T09:00:00.000Z',
};
const record = (event: object, type?: string): LogRecord => {
  const { headers, value, key } = requestEvents.encode(event as RequestEvent);
  const ce_type = type === undefined ? headers['ce_type'] : `org.opendsr-service.${type}.v1`;
  return {
    topic: 't',
    partition: 0,
    offset: '0',
    key,
    value: Buffer.from(value),
    headers: { ...headers, ce_type: String(ce_type) },
    timestampMs: 0,
  };
};

const seen: RequestEvent[] = [];
const decode = jest.fn((record: LogRecord) => requestEvents.decode(record));
const handle = byType(
  { isOfType: (record, types) => requestEvents.isOfType(record, types), decode },
  {
    RequestReceived: 'skip',
    RequestCancelled: (event) => Promise.resolve(seen.push(event) > 0 ? 'done' : 'skip'),
    RequestStarted: 'skip',
    ParticipantReported: 'skip',
    DeadlineExtended: 'skip',
    RequestFulfilled: 'skip',
    RequestCompleted: 'skip',
  },
);

it('calls the handler of the type with the decoded message', async () => {
  expect(await handle(record({ ...head, type: 'RequestCancelled' }))).toBe('done');
  expect(seen).toEqual([{ ...head, type: 'RequestCancelled' }]);
});

it('skips a type without work, undecoded', async () => {
  decode.mockClear();
  expect(await handle(record({ ...head, type: 'RequestFulfilled' }))).toBe('skip');
  expect(decode).not.toHaveBeenCalled();
});

it('skips a type of a later version, and says so', async () => {
  expect(await handle(record({ ...head, type: 'RequestPaused' }, 'RequestPaused'))).toBe('later-version');
});
