import { openStorage, type Storage } from '@opendsr-service/storage';
import { copiesOf, DATABASES } from './restore/copies';
import type { Stores } from './stores';

const SANDBOX = 'sandbox';

/** Copies every database of a service that is not running, but not the log. What it answers puts the copy back in their place. */
export async function copyOf(stores: Stores): Promise<() => Promise<void>> {
  const copies = await copiesOf(stores);
  return async () => {
    await copies.putBack(DATABASES);
    await copies.remove();
  };
}

interface Held {
  /** The existing data, in words. */
  readonly found: string[];
  /** The same look a second time, with the keys that the first one saw. */
  again(): Promise<Held>;
}

interface Kids {
  readonly subject?: string;
  readonly archive?: string;
  readonly request?: string;
}

/** What the databases hold of a person and of a request about him: documents by what they belong to, keys by what they sealed. */
export async function heldOf(
  stores: Stores,
  of: { readonly mpid: string; readonly srid: string },
  known: Kids = {},
): Promise<Held> {
  const storage = await openStorage('dataDir' in stores ? { ...stores, lock: false } : stores);
  try {
    const { found, kids } = await readHeld(storage, of, known);
    return { found, again: () => heldOf(stores, of, kids) };
  } finally {
    await storage.close();
  }
}

async function readHeld(storage: Storage, { mpid, srid }: { mpid: string; srid: string }, known: Kids) {
  const [ingestion, results, gateway, keys] = await Promise.all(
    ['ingestion', 'results', 'gateway', 'keys'].map((name) => storage.database(name)),
  );
  const one = async (database: typeof ingestion, collection: string, filter: object) =>
    (await database?.collection(collection).findOne(filter)) as Record<string, unknown> | null | undefined;
  const profile = await one(ingestion, 'profiles', { _id: `${SANDBOX}:${mpid}`, ws: SANDBOX });
  const archive = await one(results, 'archives', { _id: `${SANDBOX}:${srid}`, ws: SANDBOX, kid: { $exists: true } });
  const request = await one(gateway, 'requests', { _id: `${SANDBOX}:${srid}`, ws: SANDBOX, sealed: { $exists: true } });
  const kids: Kids = {
    subject: textOf(profile?.kid),
    archive: textOf(archive?.kid),
    request: textOf(request?.kid),
    ...known,
  };
  const parts: [string, unknown][] = [
    ['profile', profile],
    ['identities', await one(ingestion, 'identities', { ws: SANDBOX, mpid })],
    ['batches', await one(ingestion, 'batches', { ws: SANDBOX, mpid })],
    ['archive', archive],
    ['chunks', await one(results, 'chunks', { ws: SANDBOX, srid })],
    ['request', request],
  ];
  for (const [what, kid] of Object.entries(kids) as [string, string | undefined][])
    if (kid !== undefined) parts.push([`${what} key`, await one(keys, 'dataKeys', { _id: kid, ws: SANDBOX })]);
  return { kids, found: parts.filter(([, document]) => document).map(([what]) => what) };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
