import { openStorage, type Storage } from '@opendsr-service/storage';
import { until } from '../../receiver/until';
import { ledger } from '../callback-ledger';
import { send, json, type StatusRecord } from '../controller';
import { awaitAttestation } from '../follow';
import type { Stores } from '../stores';
import type { History } from './history';

const SOON_MS = 60_000;
/** Another process takes over the claims of a stopped one after a minute. */
const QUIET_MS = 90_000;

/** What the databases hold that the log decides, and which keys there are. */
export interface Held {
  /** By projection and id. */
  readonly facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly keys: ReadonlySet<string>;
}

export const heldIn = (stores: Stores): Promise<Held> =>
  withStorage(stores, async (storage) => {
    const facts: Record<string, Record<string, unknown>> = {};
    const services = await Promise.all([
      import('@opendsr-service/gateway/operation'),
      import('@opendsr-service/request/operation'),
      import('@opendsr-service/callback-dispatcher/operation'),
    ]);
    for (const projection of services.flatMap(({ projections }) => projections)) {
      const { name, database, collection } = projection;
      const documents = await (
        await storage.database(database)
      )
        .collection<{ _id: string; ws: string }>(collection)
        .find({})
        .sort({ _id: 1 })
        .toArray();
      facts[name] = Object.fromEntries(documents.map((document) => [document._id, projection.facts(document)]));
    }
    const keys = await (await storage.database('keys')).collection<{ _id: string }>('dataKeys').find({}).toArray();
    return { facts, keys: new Set(keys.map(({ _id }) => _id)) };
  });

/** As a copy has it that read the attestations before there were any, and later the requests, which wait for none. */
export const dropAttestations = (stores: Stores): Promise<unknown> =>
  withStorage(stores, async (storage) => {
    const gateway = await storage.database('gateway');
    await gateway.collection('attestations').deleteMany({});
    await gateway.collection('requests').updateMany({}, { $unset: { attestAt: 1 } });
  });

/** Waits until all callbacks are sent and all due keys are destroyed. */
export const awaitQuiet = (stores: Stores): Promise<unknown> =>
  withStorage(stores, async (storage) => {
    const [gateway, request, destinations] = await Promise.all(
      ['gateway', 'request', 'callback_dispatcher'].map((name) => storage.database(name)),
    );
    const counts = () =>
      Promise.all([
        gateway?.collection('requests').countDocuments({ outboxAt: { $exists: true } }),
        gateway?.collection('requests').countDocuments({ keyDueAt: { $lte: new Date(Date.now() + SOON_MS) } }),
        request?.collection('aggregates').countDocuments({ outboxAt: { $exists: true } }),
        destinations?.collection('destinations').countDocuments({ outboxAt: { $exists: true } }),
      ]);
    await until('all callbacks', async () => (await counts()).every((count) => count === 0), QUIET_MS);
  });

async function withStorage<T>(stores: Stores, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage('dataDir' in stores ? { ...stores, lock: false } : stores);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** What controllers are answered about a history, and what their receivers heard. */
export interface Answers {
  /** The bytes of each GET, by path. */
  readonly status: Readonly<Record<string, string>>;
  readonly ledgers: Readonly<Record<string, string>>;
  /** Of the requests that have ended. */
  readonly attestations: Readonly<Record<string, string>>;
  readonly links: Readonly<Record<string, number>>;
  readonly heard: Readonly<Record<string, number>>;
}

export async function answersAbout(history: History): Promise<Answers> {
  const names = [...history.requests.keys()];
  const each = async <T>(ask: (name: string) => Promise<T>): Promise<Record<string, T>> =>
    Object.fromEntries(await Promise.all(names.map(async (name) => [name, await ask(name)] as const)));
  const status = await each(async (name) =>
    bytesOf(await history.controller(history.knownRequest(name)).read(history.srid(name))),
  );
  const ledgers = await each(async (name) =>
    bytesOf(await ledger(history.controller(history.knownRequest(name)), history.srid(name))),
  );
  const attestations: Record<string, string> = {};
  const links: Record<string, number> = {};
  for (const [name, record] of Object.entries(status)) {
    const { results_url, request_status } = JSON.parse(record.slice(record.indexOf('{'))) as StatusRecord;
    if (results_url !== null) links[name] = (await send(results_url)).status;
    const controller = history.controller(history.knownRequest(name));
    if (['completed', 'cancelled'].includes(request_status))
      attestations[name] = bytesOf(await awaitAttestation(controller, history.srid(name)));
  }
  const list = await history.world.controller.list(history.group);
  json(list);
  return {
    status: { ...status, group: bytesOf(list) },
    ledgers,
    attestations,
    links,
    heard: Object.fromEntries(names.map((name) => [name, history.heard(name)])),
  };
}

const bytesOf = ({ status, body }: { status: number; body: Buffer }): string => `${String(status)} ${body.toString()}`;
