import { describeInFull, mongodbDatabase } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import type { DataKeyDocument } from './data-keys.store';
import { destroyedContract, type CopiedDatabase, type Found } from './destroyed.contract';
import { linkKeysContract } from './link-keys.contract';
import type { RootKeyDocument } from './master-wrap';
import { rotationContract } from './rotation.contract';
import { tombstonesContract } from './tombstones.contract';
import { vaultContract } from './vault.contract';

function create(): CopiedDatabase {
  const database = mongodbDatabase('keys');
  return {
    ...database,
    copies,
    stored: async () => {
      const connection = await database.open();
      const collections = ['rootKeys', 'dataKeys', 'linkKeys'].map((collection) =>
        connection.collection(collection).find({}).toArray(),
      );
      return Buffer.from(JSON.stringify(await Promise.all(collections)));
    },
  };
}

vaultContract('MongoDB', create);
rotationContract('MongoDB', create);
destroyedContract('MongoDB', create);
describeInFull('on servers', () => {
  linkKeysContract('MongoDB', create);
  tombstonesContract('MongoDB', create);
});

interface OplogEntry {
  readonly op: string;
  readonly ns: string;
  readonly o: Readonly<Record<string, unknown>>;
  readonly o2?: { readonly _id: string };
}

/** Each version of each document that the oplog holds: journal and files hold no other. */
async function copies(connection: Connection): Promise<Found> {
  const oplog = connection.getClient().db('local').collection<OplogEntry>('oplog.rs');
  const of = `${connection.name}.`;
  const ours = { $or: [{ ns: { $in: [`${of}dataKeys`, `${of}rootKeys`] } }, { op: 'c' }] };
  const entries = (await oplog.find(ours).toArray()).flatMap(flattened).filter(({ ns }) => ns?.startsWith(of));
  const inserted = (name: string) =>
    entries.filter(({ op, ns }) => op === 'i' && ns === of + name).map(({ o }) => o as unknown);
  const dataKeys = inserted('dataKeys') as DataKeyDocument[];
  const byKid = new Map(dataKeys.map((document) => [document._id, document]));
  const updated = entries
    .filter(({ op, ns }) => op === 'u' && ns === `${of}dataKeys`)
    .flatMap(({ o, o2 }) => {
      const { diff } = o as { diff?: { u?: Partial<DataKeyDocument> } };
      const before = o2 && byKid.get(o2._id);
      return before && diff?.u ? [{ ...before, ...diff.u }] : [];
    });
  return { dataKeys: [...dataKeys, ...updated], rootKeys: inserted('rootKeys') as RootKeyDocument[] };
}

/** Writes of one command may stand in one entry. */
const flattened = (entry: OplogEntry): OplogEntry[] =>
  entry.op === 'c' && Array.isArray(entry.o['applyOps']) ? (entry.o['applyOps'] as OplogEntry[]) : [entry];
