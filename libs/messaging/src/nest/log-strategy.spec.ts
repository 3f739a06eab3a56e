import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { openLog } from '../open-log';
import type { EventLog } from '../port';
import type { LogRecord, Verdict } from '../records';
import { MemoryParking } from '../testing/memory-parking';
import { until } from '../testing/until';
import { ConsumeBatch } from './consume-batch';
import { LogStrategy } from './log-strategy';

const VIEW = Symbol('view');
const ORDERS = Symbol('orders');
const UNUSED = Symbol('unused');
const topic = { name: 'events', partitions: 1, retentionMs: -1 };

class Gone extends Error {
  override readonly name = 'Gone';
}

@Controller()
class ViewConsumer {
  readonly seen: string[] = [];
  faults = 0;

  @ConsumeBatch('events', VIEW)
  async onEvents(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    await Promise.resolve();
    if (records.some(({ key }) => key === 'fault') && this.faults++ < 2) throw new Gone('away');
    if (records.some(({ key }) => key === 'bad')) throw new TypeError('broken');
    this.seen.push(...records.map(({ key }) => key));
    return records.map(() => 'done');
  }
}

@Controller()
class OrdersConsumer {
  readonly seen: string[] = [];

  @ConsumeBatch('events', ORDERS)
  onEvents(records: readonly LogRecord[]): Promise<readonly Verdict[]> {
    this.seen.push(...records.map(({ value }) => value.toString()));
    return Promise.resolve(records.map(() => 'done'));
  }
}

@Module({ controllers: [ViewConsumer, OrdersConsumer] })
class Both {}

describe('handlers are ordinary Nest controllers', () => {
  let folder: string;
  let log: EventLog;
  let app: INestApplicationContext | undefined;
  const parking = new MemoryParking();

  const strategy = (transport: symbol): LogStrategy =>
    new LogStrategy({
      log,
      transport,
      group: String(transport.description),
      parking,
      isInfrastructureError: (error) => error instanceof Gone,
      onFatal: (error) => {
        throw error;
      },
    });

  const start = async (...transports: symbol[]): Promise<INestApplicationContext> => {
    const built = (await Test.createTestingModule({ imports: [Both] }).compile()).createNestApplication(
      new FastifyAdapter(),
      { logger: false },
    );
    transports.forEach((transport) => built.connectMicroservice({ strategy: strategy(transport) }));
    app = built;
    await built.startAllMicroservices();
    return built;
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'log-'));
    log = await openLog({ embedded: { file: join(folder, 'log.db') } });
    await log.topics.apply([topic], { replication: 1, minIsr: 1 });
  });

  afterEach(async () => {
    await app?.close();
    await log.close();
    rmSync(folder, { recursive: true });
  });

  it('says that a batch was handled, except where each record was skipped', async () => {
    const one = strategy(UNUSED);
    let verdicts: readonly Verdict[] = ['skip', 'skip'];
    let handled = 0;
    one.onHandled = () => void (handled += 1);
    one.addHandler('events', () => Promise.resolve(verdicts));
    const record = { topic: 'events', partition: 0, offset: '0', key: 'a', value: Buffer.alloc(0), headers: {} };
    const records = [record, { ...record, offset: '1' }].map((each) => ({ ...each, timestampMs: 0 }));
    await one.handling.handle(records);
    expect(handled).toBe(0);
    verdicts = ['skip', 'done'];
    await one.handling.handle(records);
    expect(handled).toBe(1);
  });

  it('hands each group its own copy of the records, and none of the other group’s', async () => {
    const running = await start(VIEW, ORDERS);
    await log.publisher.publish('events', [
      { key: 'a', value: '1', headers: {} },
      { key: 'b', value: '2', headers: {} },
    ]);
    const view = running.get(ViewConsumer);
    const orders = running.get(OrdersConsumer);
    await until(() => view.seen.length >= 2 && orders.seen.length >= 2);
    expect([view.seen, orders.seen]).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]);
  });

  it('retries a record after a fault of a server, and parks a broken one with the kind of its error', async () => {
    const running = await start(VIEW);
    await log.publisher.publish('events', [
      { key: 'fault', value: '', headers: {} },
      { key: 'bad', value: '', headers: {} },
    ]);
    const view = running.get(ViewConsumer);
    await until(() => parking.parked.length > 0);
    expect(view.seen).toEqual(['fault']);
    expect(parking.parked.map(({ record, reason }) => [record.key, reason])).toEqual([['bad', 'failed:TypeError']]);
  });

  it('refuses to boot a group without handlers', async () => {
    await expect(start(UNUSED)).rejects.toThrow('no handler for unused');
  });

  it('consumes nothing after the application is closed', async () => {
    const running = await start(VIEW);
    await running.close();
    await log.publisher.publish('events', [{ key: 'late', value: '', headers: {} }]);
    expect(running.get(ViewConsumer).seen).toEqual([]);
  });
});
