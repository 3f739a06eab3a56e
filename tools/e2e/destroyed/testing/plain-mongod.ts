import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongodIn, startOwn } from '@opendsr-service/storage/testing';
import { createConnection } from 'mongoose';
import { until } from '../../../receiver/until';
import { freePorts } from '../../free-ports';

export interface PlainMongod {
  readonly uri: string;
  stop(): Promise<void>;
}

/** Starts a replica set of one that compresses neither its files nor its journal: what they hold can be searched. */
export async function startPlainMongod(serversFolder: string): Promise<PlainMongod> {
  const folder = await mkdtemp(join(tmpdir(), 'plain-mongod-'));
  const [port = 0] = await freePorts(1);
  const host = `127.0.0.1:${String(port)}`;
  const server = startOwn(await mongodIn(serversFolder), [
    ...['--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', folder, '--replSet', 'plain', '--nounixsocket'],
    ...['--wiredTigerCollectionBlockCompressor', 'none', '--wiredTigerJournalCompressor', 'none'],
    ...['--wiredTigerCacheSizeGB', '0.25', '--setParameter', 'diagnosticDataCollectionEnabled=false'],
  ]);
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true });
  };
  try {
    // It logs each thing that it does as one JSON document; 23016 is that it listens.
    await server.line((line) => line.includes('"id":23016'));
    await initiate(host);
  } catch (error) {
    await stop();
    throw error;
  }
  return { uri: `mongodb://${host}/?replicaSet=plain`, stop };
}

async function initiate(host: string): Promise<void> {
  const connection = await createConnection(`mongodb://${host}/?directConnection=true`).asPromise();
  try {
    const admin = connection.getClient().db('admin');
    await admin.command({ replSetInitiate: { _id: 'plain', members: [{ _id: 0, host }] } });
    await until('the election', async () => (await admin.command({ hello: 1 }))['isWritablePrimary'] === true);
  } finally {
    await connection.close();
  }
}
