import type { RequestStatus } from '@opendsr-service/contracts';
import type { Storage } from '@opendsr-service/storage';

/** An admission, as far as the invariants ask. */
export interface Admission {
  readonly _id: string;
  readonly srid: string;
  readonly ws: string;
  readonly status: RequestStatus;
  readonly v: number;
  readonly groupId: string | null;
  readonly outbox: readonly unknown[];
  readonly receipt?: string;
  readonly attestAt?: Date;
  /** The legal date that counts now, and the one after an extension. */
  readonly dueBy?: Date;
  readonly extendedUntil?: Date;
}

/** A signed statement about the end of a request. */
export interface Attestation {
  readonly srid: string;
  readonly digest: string;
  readonly envelope: string;
  readonly statement: number;
  /** Until a second one states that it is gone. */
  readonly generation?: number;
}

/** A leaf of the transparency log. */
interface Leaf {
  readonly index: number;
  readonly entry: string;
}

export interface Aggregate {
  readonly _id: string;
  readonly status: string;
  readonly v: number;
  readonly outbox: readonly unknown[];
}

interface Destination {
  readonly _id: string;
  readonly pending: readonly unknown[];
}

interface Parked {
  readonly database: string;
  readonly topic: string;
  readonly key: string;
  readonly reason: string;
  readonly aside?: true;
}

/** What the stores hold in the end. */
export interface FinalState {
  readonly admissions: readonly Admission[];
  readonly aggregates: readonly Aggregate[];
  readonly destinations: readonly Destination[];
  readonly parked: readonly Parked[];
  /** In their order. */
  readonly leaves: readonly Leaf[];
  readonly attestations: readonly Attestation[];
}

const PARKING = ['gateway', 'request', 'callback_dispatcher', 'results', 'ingestion'];

export async function finalState(storage: Storage): Promise<FinalState> {
  const all = async <T>(database: string, collection: string): Promise<T[]> =>
    (await (await storage.database(database)).collection(collection).find({}).toArray()) as unknown as T[];
  const parked = await Promise.all(
    PARKING.map(async (database) =>
      (await all<Omit<Parked, 'database'>>(database, 'parked')).map((one) => ({ ...one, database })),
    ),
  );
  return {
    admissions: await all('gateway', 'requests'),
    aggregates: await all('request', 'aggregates'),
    destinations: await all('callback_dispatcher', 'destinations'),
    parked: parked.flat(),
    attestations: await all('gateway', 'attestations'),
    leaves: (await all<Leaf>('gateway', 'leaves')).sort((a, b) => a.index - b.index),
  };
}

const ENDED: readonly RequestStatus[] = ['completed', 'cancelled'];

export const hasEnded = ({ status }: Pick<Admission, 'status'>): boolean => ENDED.includes(status);

/** Whether nothing is left to do for any request. */
export const isQuiet = ({ admissions, aggregates, destinations, attestations }: FinalState): boolean =>
  admissions.every(
    (admission) => hasEnded(admission) && admission.outbox.length === 0 && admission.attestAt === undefined,
  ) &&
  aggregates.every(({ outbox }) => outbox.length === 0) &&
  destinations.every(({ pending }) => pending.length === 0) &&
  attestations.every(({ generation }) => generation === undefined);

/** Differs where something has gone on between two looks. */
export const progressOf = ({ admissions, aggregates, destinations, attestations }: FinalState): string =>
  JSON.stringify([
    admissions.map(({ status, v, outbox, attestAt }) => [status, v, outbox.length, attestAt === undefined]),
    aggregates.map(({ v, outbox }) => [v, outbox.length]),
    destinations.map(({ pending }) => pending.length),
    attestations.length,
  ]);
