import type { Collection } from 'mongoose';
import type { Destination } from '../destinations/destination';
import type { DestinationsCollection } from '../destinations/destinations-collection.store';

/** A destination that has something to send. */
export type WaitingDestination = Pick<
  Destination,
  'srid' | 'destination' | 'pending' | 'undeliveredSince' | 'tries' | 'failingSince' | 'postponed'
> &
  Required<Pick<Destination, 'dueAt'>>;

const SHOWN = {
  ...{ srid: 1, destination: 1, pending: 1, undeliveredSince: 1, dueAt: 1, tries: 1, failingSince: 1, postponed: 1 },
} as const;

const waitingFor = (ws: string, host: string) => ({ ws, host, dueAt: { $gte: new Date(0) } });

/** What waits for a host. Each query reads one index, and only as far as it needs. */
export class HostBacklog {
  private readonly destinations: Collection<Destination>;

  constructor({ documents }: Pick<DestinationsCollection, 'documents'>) {
    this.destinations = documents;
  }

  count(ws: string, host: string, atMost: number): Promise<number> {
    return this.destinations.countDocuments(waitingFor(ws, host), { limit: atMost });
  }

  /** By the time of the next attempt. */
  async next(ws: string, host: string, limit: number): Promise<readonly WaitingDestination[]> {
    const found = await this.destinations
      .find(waitingFor(ws, host), { sort: { dueAt: 1 }, limit, projection: SHOWN })
      .toArray();
    return found as readonly WaitingDestination[];
  }

  async nextDue(ws: string, host: string): Promise<Date | undefined> {
    const options = { sort: { dueAt: 1 }, projection: { dueAt: 1 } } as const;
    return (await this.destinations.findOne(waitingFor(ws, host), options))?.dueAt;
  }
}
