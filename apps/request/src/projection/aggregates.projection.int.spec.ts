import { createSecretKey, randomUUID } from 'node:crypto';
import { messageId, requestEvents, TOPICS, type RequestEvent } from '@opendsr-service/contracts';
import { openLog } from '@opendsr-service/messaging';
import { rebuildProjection, verifyProjection } from '@opendsr-service/replay';
import { openStorage } from '@opendsr-service/storage';
import { describeInFull } from '@opendsr-service/storage/testing';
import type { AggregateDocument } from '../aggregates/aggregate.document';
import { aggregatesProjection } from './aggregates.projection';

const env = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
};

const AT = '2026-11-21T09:00:00.000Z';
const admission = {
  ...{
    controllerId: 'c',
    apiVersion: '2.0',
    type: 'access',
    submittedTime: AT,
    receivedAt: AT,
    startAt: AT,
    expectedAt: AT,
    groupId: null,
  },
  ...{ fingerprint: 'f', kid: 'k', identities: 'x'.repeat(40), callbacks: [] },
} as const;

/** More than a page, and spread over all partitions. */
const SRIDS = Array.from({ length: 700 }, () => randomUUID());
const event = (srid: string, version: number, more: object) =>
  ({
    id: messageId(srid, version),
    ws: 'acme',
    srid,
    version,
    commandSeq: version,
    at: AT,
    ...more,
  }) as unknown as RequestEvent;

// Its parts are shown in each run: folds by the embedded store, reads to the end by the log on Kafka.
describeInFull('on servers', () => {
  it('folds an event log on Kafka, writes the differences to MongoDB, and finds planted differences', async () => {
    const prefix = `${randomUUID()}.`;
    const log = await openLog({
      kafka: { brokers: env('DSR_TEST_KAFKA_BROKERS').split(','), clientId: 'projections', topicPrefix: prefix },
    });
    const storage = await openStorage({
      mongodbUri: env('DSR_TEST_MONGODB_URI'),
      databasePrefix: `t${randomUUID().slice(0, 8)}_`,
    });
    const connection = await storage.database('request');
    const aggregates = connection.collection<AggregateDocument>('aggregates');
    try {
      await log.topics.apply([{ ...TOPICS.requestEvents, partitions: 3 }], { replication: 1, minIsr: 1 });
      const events = SRIDS.flatMap((srid) => [
        event(srid, 1, { type: 'RequestReceived', request: admission }),
        event(srid, 2, { type: 'RequestCancelled' }),
      ]);
      await log.publisher.publish(
        TOPICS.requestEvents.name,
        events.map((one) => requestEvents.encode(one)),
      );
      const folding = {
        connection,
        log,
        tools: { now: new Date(AT), keyKeepMs: 0, tombstoneKey: createSecretKey(Buffer.alloc(32)) },
        pausesMs: [1],
      };
      expect(await rebuildProjection(aggregatesProjection, folding)).toMatchObject({
        documents: 700,
        older: 0,
        differing: { missing: 700 },
      });
      expect(await verifyProjection(aggregatesProjection, folding)).toMatchObject({ documents: 700, differences: [] });

      const [altered, removed] = SRIDS.map((srid) => `acme:${srid}`) as [string, string];
      await aggregates.updateOne({ _id: altered }, { $set: { status: 'pending' } });
      await aggregates.deleteOne({ _id: removed });
      const { differences } = await verifyProjection(aggregatesProjection, folding);
      expect(new Map(differences.map(({ id, kind, what }) => [id, [kind, what]]))).toEqual(
        new Map([
          [altered, ['differs', ['status']]],
          [removed, ['missing', []]],
        ]),
      );
      expect(await rebuildProjection(aggregatesProjection, folding)).toMatchObject({
        differing: { missing: 1, differs: 1 },
      });
      expect(await verifyProjection(aggregatesProjection, folding)).toMatchObject({ differences: [] });
    } finally {
      await connection.dropDatabase();
      await storage.close();
      await log.close();
    }
  });
});
