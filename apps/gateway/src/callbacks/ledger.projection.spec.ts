import { createSecretKey } from 'node:crypto';
import { deliveryEvents, TOPICS, type DeliveryEvent } from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import { embeddedDatabase, type TestDatabase } from '@opendsr-service/storage/testing';
import { callbackEvents, second } from '../testing/callback-events';
import { foldCallback } from './fold-callback';
import { ledgerProjection } from './ledger.projection';
import type { CallbackEvent, LedgerEntry } from './ledger-entry';

const srid = '475974fa-6b42-4370-bb56-b5d845686bb5';
const { queued, attempted, givenUp, nextAt } = callbackEvents({ ws: 'acme', srid, destination: 'a' });
const tools = { now: second(0), keyKeepMs: 0, tombstoneKey: createSecretKey(Buffer.alloc(32)) };
const life: readonly CallbackEvent[] = [
  queued(0, 15),
  attempted(1, 16, 'rejected', { httpStatus: 500, nextAt: nextAt(30) }),
  givenUp(31, 'exhausted'),
  queued(100, 105, true),
  attempted(2, 106, 'delivered', { httpStatus: 202 }),
];
const entry = (events: readonly CallbackEvent[]): LedgerEntry =>
  events.reduce<LedgerEntry | undefined>(foldCallback, undefined) as LedgerEntry;

describe('the ledger from the event log', () => {
  let database: TestDatabase;
  beforeAll(() => {
    database = embeddedDatabase('ledger-projection');
  });
  afterAll(() => database.close());

  const record = (event: DeliveryEvent, offset: number): LogRecord => {
    const { key, value, headers } = deliveryEvents.encode(event);
    return {
      topic: TOPICS.deliveryEvents.name,
      partition: 0,
      offset: String(offset),
      key,
      value,
      headers,
      timestampMs: 0,
    };
  };

  it('equals the ledger of the gateway, and ignores settled destinations and malformed records', async () => {
    const connection = await database.open();
    const take = await ledgerProjection.startFold(connection, tools);
    const { id, ws, destination, at } = life[0]!;
    const records = [
      ...life,
      { type: 'DestinationSettled' as const, id, ws, srid, destination, at, outcome: 'delivered' as const },
    ].map(record);
    await take([...records, { ...records[0]!, value: Buffer.from('no json') }]);
    const found = await connection.collection<LedgerEntry>('callbacks').find({}).toArray();
    expect(found).toEqual([entry(life)]);
  });

  it.each([0, 1, 2, 3, 4, 5])('brings a copy with the first %i of five events up to date', (known) => {
    const present = known === 0 ? null : entry(life.slice(0, known));
    const merged = ledgerProjection.merge(present, entry(life), tools);
    expect(ledgerProjection.facts(merged)).toEqual(ledgerProjection.facts(entry(life)));
    expect(merged.rev).toBeGreaterThan(present?.rev ?? 0);
  });

  it('keeps what the database knows of events that the event log no longer holds', () => {
    const merged = ledgerProjection.merge(entry(life.slice(0, 3)), entry(life.slice(3)), tools);
    expect(ledgerProjection.facts(merged)).toEqual(ledgerProjection.facts(entry(life)));
    expect(merged.givenUps).toEqual(entry(life).givenUps);
    // What the log does not know at all is older than the log, or too much.
    expect([second(0), second(1)].map((since) => ledgerProjection.mayPrecede?.(entry(life), since))).toEqual([
      false,
      true,
    ]);
  });

  it('detects an entry that is beyond the event log', () => {
    expect([2, 5].map((known) => ledgerProjection.isBeyond?.(entry(life), entry(life.slice(0, known))))).toEqual([
      true,
      false,
    ]);
  });
});
