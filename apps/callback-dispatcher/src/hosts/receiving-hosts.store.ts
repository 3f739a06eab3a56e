import type { HostState } from '@opendsr-service/operator-answers';
import { declareCollection } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { HostAttempt, HostChange } from '../dispatch/host-outcomes';

/** How the last attempts to a host ended, over all processes. The process that writes last is believed. */
export interface HostDocument {
  /** `<ws>|<host>` */
  readonly _id: string;
  readonly ws: string;
  /** Keyed hash of its name and port. */
  readonly host: string;
  readonly state: HostState;
  /** When the last attempt began. */
  readonly at: Date;
  readonly outcome: HostAttempt['outcome'];
  readonly httpStatus?: number;
  readonly deliveredAt?: Date;
  readonly failingSince?: Date;
  readonly pausedUntil?: Date;
}

/** Which hosts, by workspace and host; an absent field matches all. */
interface HostFilter {
  readonly ws?: string | undefined;
  readonly state?: HostState | undefined;
}

/** The hosts that receive callbacks, for the operator. Nothing is decided by them. */
export class ReceivingHosts {
  private readonly hosts: Collection<HostDocument>;

  constructor(connection: Connection) {
    this.hosts = declareCollection(connection, 'hosts', [{ fields: { state: 1, _id: 1 } }, { fields: { at: 1 } }]);
  }

  async write(changes: readonly HostChange[]): Promise<void> {
    if (changes.length === 0) return;
    const writes = changes.map((change) => ({
      updateOne: { filter: { _id: idOf(change) }, update: updateOf(change), upsert: true },
    }));
    await this.hosts.bulkWrite(writes, { ordered: false });
  }

  /** At most `limit`, by id, beginning after this one. */
  list(filter: HostFilter, after: string, limit: number): Promise<HostDocument[]> {
    return this.hosts.find(queryOf(filter, after), { sort: { _id: 1 }, limit }).toArray();
  }

  /** Up to `limit`. */
  count(filter: HostFilter, limit: number): Promise<number> {
    return this.hosts.countDocuments(queryOf(filter, ''), { limit });
  }

  async find(ws: string, host: string): Promise<HostDocument | undefined> {
    return (await this.hosts.findOne({ _id: idOf({ ws, host }) })) ?? undefined;
  }

  /** Removes hosts without an attempt since then. */
  async removeBefore(date: Date): Promise<void> {
    await this.hosts.deleteMany({ at: { $lt: date } });
  }
}

function queryOf({ ws, state }: HostFilter, after: string) {
  const from = ws === undefined || after > `${ws}|` ? after : `${ws}|`;
  // `}` is the character after `|`.
  return { ...(state !== undefined && { state }), _id: { $gt: from, ...(ws !== undefined && { $lt: `${ws}}` }) } };
}

const idOf = ({ ws, host }: { readonly ws: string; readonly host: string }): string => `${ws}|${host}`;

/** What is absent is removed. */
function updateOf({ ws, host, last, deliveredAt, failingSince }: HostChange) {
  const { at, outcome, httpStatus, pausedUntil } = last;
  const state: HostState = outcome === 'delivered' ? 'ok' : pausedUntil ? 'paused' : 'failing';
  const isOlder = failingSince !== undefined && deliveredAt === undefined;
  const facts = { httpStatus, pausedUntil, ...(!isOlder && { failingSince }) };
  const absent = Object.entries(facts).filter(([, fact]) => fact === undefined);
  return {
    $set: { ws, host, state, at, outcome, ...present({ ...facts, deliveredAt }) },
    ...(absent.length > 0 && { $unset: Object.fromEntries(absent.map(([name]) => [name, 1 as const])) }),
    // Another process may have seen an earlier failure.
    ...(isOlder && { $min: { failingSince } }),
  };
}

const present = (facts: Partial<HostDocument>): Partial<HostDocument> =>
  Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
