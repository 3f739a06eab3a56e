import { ParkedMeasures, ParkedStore } from '@opendsr-service/messaging';
import { ensureIndexes } from '@opendsr-service/storage';
import { embeddedDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { systemClock } from '../clock';
import { parkedRecordsGauges } from './service-metrics';

const database = embeddedDatabase('parked_gauges');
const groups = { gateway: [{ name: 'events' }, { name: 'deliveries' }], evidence: [{ name: 'leaves' }] };
const record = {
  topic: 'events',
  partition: 0,
  offset: '1',
  key: 'k',
  value: Buffer.alloc(0),
  headers: {},
  timestampMs: 0,
};

let connection: Connection;
beforeAll(async () => {
  connection = await database.open();
  new ParkedStore(connection);
  await ensureIndexes(connection);
});
afterAll(() => database.close());

it('one look answers for all series of parked records where there are none', async () => {
  const measures = new ParkedMeasures(connection);
  const [count, oldest] = [jest.spyOn(measures, 'count'), jest.spyOn(measures, 'oldest')];
  const shown = async () => {
    const samples = await Promise.all(parkedRecordsGauges(systemClock, measures, groups).map((one) => one.measure()));
    return samples.map((of) => of.map(({ value }) => value));
  };
  expect(await shown()).toEqual([
    [0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0],
  ]);
  expect([count, oldest].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  await new ParkedStore(connection).park('gateway', record, 'odd');
  expect((await shown())[0]).toEqual([1, 0, 0, 0, 0, 0]);
  expect([count, oldest].map(({ mock }) => mock.calls.length)).toEqual([6, 4]);
});
