import { readdir, readlink, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import { patchedKafka } from '@opendsr-service/messaging';
import type { Stores } from '../e2e/stores';
import { pidsOf } from './cpu';
import { withDatabase } from './stored';

/** What was written to a topic. */
export interface TopicUse {
  readonly records: number;
  readonly bytes: number;
}

export interface MongodbUse {
  /** Commands that write: inserts, updates and deletes. */
  readonly writes: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** The journal, and pages of the checkpoints. */
  readonly bytesWritten: number;
  /** What stays: compressed documents and indexes. */
  readonly bytesKept: number;
}

/** What one thing makes the stores do, of one copy of them. */
export interface StoresUse {
  readonly mongodb: MongodbUse;
  readonly topics: Readonly<Record<string, TopicUse>>;
}

interface Place {
  readonly stores: Stores;
  readonly brokers: string | undefined;
}

/** All that the stores did so far. Null: they are not servers on this machine. */
export async function readStoresUse({ stores, brokers }: Place): Promise<StoresUse | null> {
  if ('dataDir' in stores || brokers === undefined) return null;
  return { mongodb: await readMongodb(stores), topics: await readTopics(brokers.split(',')) };
}

/** What one of `count` things did between two readings. */
export const useOfEach = (before: StoresUse | null, after: StoresUse | null, count: number): StoresUse | null =>
  before && after && count > 0 ? combined(after, before, (is, was) => (is - was) / count) : null;

/** A use that takes each figure of two. What the second lacks counts as 0. */
export function combined(one: StoresUse, other: StoresUse, take: (a: number, b: number) => number): StoresUse {
  const both = <T extends object>(a: T, b: Partial<T> = {}): T =>
    Object.fromEntries(
      Object.entries(a).map(([name, value]) => [name, take(Number(value), Number(b[name as keyof T] ?? 0))]),
    ) as T;
  return {
    mongodb: both(one.mongodb, other.mongodb),
    topics: Object.fromEntries(
      Object.entries(one.topics).map(([topic, use]) => [topic, both(use, other.topics[topic])]),
    ),
  };
}

interface ServerStatus {
  readonly opcounters: Readonly<Record<'insert' | 'update' | 'delete', number>>;
  readonly network: { readonly bytesIn: number; readonly bytesOut: number };
  readonly wiredTiger: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const readMongodb = (stores: Stores): Promise<MongodbUse> =>
  withDatabase(stores, 'gateway', async (database) => {
    const admin = database.db?.admin();
    if (!admin) throw new Error('the connection to MongoDB is not open');
    // Writes a checkpoint: sizes say what is on the disk.
    await admin.command({ fsync: 1 });
    const { opcounters, network, wiredTiger } = (await admin.command({ serverStatus: 1 })) as unknown as ServerStatus;
    const { databases } = (await admin.command({ listDatabases: 1 })) as unknown as {
      readonly databases: readonly { readonly name: string; readonly sizeOnDisk: number }[];
    };
    return {
      writes: opcounters.insert + opcounters.update + opcounters.delete,
      bytesIn: Number(network.bytesIn),
      bytesOut: Number(network.bytesOut),
      bytesWritten:
        Number(wiredTiger['log']?.['log bytes written']) + Number(wiredTiger['block-manager']?.['bytes written']),
      bytesKept: sum(databases.filter(({ name }) => name !== 'local').map(({ sizeOnDisk }) => Number(sizeOnDisk))),
    };
  });

/** By the names that the service gives its topics, whatever prefix they have on this broker. */
export async function readTopics(brokers: readonly string[]): Promise<Record<string, TopicUse>> {
  const admin = patchedKafka({ brokers: [...brokers] }).admin();
  await admin.connect();
  try {
    const segments = await segmentBytes();
    const there = await admin.listTopics();
    const uses = Object.values(TOPICS).map(async ({ name }) => {
      const topics = there.filter((topic) => topic.endsWith(name));
      const offsets = (await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)))).flat();
      return [name, { records: sum(offsets.map(({ high }) => Number(high))), bytes: sum(bytesIn(segments, name)) }];
    });
    return Object.fromEntries(await Promise.all(uses)) as Record<string, TopicUse>;
  } finally {
    await admin.disconnect();
  }
}

interface Segment {
  readonly topic: string;
  readonly bytes: number;
}

const bytesIn = (segments: readonly Segment[], name: string): number[] =>
  segments.filter(({ topic }) => topic.endsWith(name)).map(({ bytes }) => bytes);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The broker holds every segment open: `<topic>-<partition>/<offset>.log`. */
async function segmentBytes(): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const pid of await pidsOf('broker')) {
    const folder = `/proc/${String(pid)}/fd`;
    for (const name of await readdir(folder)) {
      const file = await readlink(`${folder}/${name}`).catch(() => '');
      if (!file.endsWith('.log')) continue;
      segments.push({ topic: basename(dirname(file)).replace(/-\d+$/, ''), bytes: (await stat(file)).size });
    }
  }
  return segments;
}
