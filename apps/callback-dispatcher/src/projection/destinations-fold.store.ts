import {
  commands,
  deliveryEvents,
  requestEvents,
  requestKey,
  TOPICS,
  type DeliveryEvent,
  type ReplayCallback,
  type RequestEvent,
} from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import { decodeValid } from '@opendsr-service/replay';
import { idPrefixRange } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { foldDelivery, foldReplay } from './fold-delivery';
import { openDestinations, defined, foldRequestEvent, type FoldedDestination } from './folded-destination';

type Destinations = Map<string, FoldedDestination>;

export class DestinationsFold {
  private readonly destinations: Collection<FoldedDestination>;

  constructor(
    scratch: Connection,
    private readonly asOf: Date,
  ) {
    this.destinations = scratch.collection<FoldedDestination>('destinations');
  }

  async takeRecords(records: readonly LogRecord[]): Promise<void> {
    const topic = records[0]?.topic;
    if (topic === TOPICS.requestEvents.name) await this.foldRequestEvents(decodeValid(requestEvents, records));
    if (topic === TOPICS.deliveryEvents.name)
      await this.foldByDestination(decodeValid(deliveryEvents, records), foldDelivery);
    if (topic === TOPICS.commands.name)
      await this.foldByDestination(
        decodeValid(commands, records).filter(
          (command): command is ReplayCallback => command.type === 'ReplayCallback',
        ),
        foldReplay,
      );
  }

  private async foldRequestEvents(events: readonly RequestEvent[]): Promise<void> {
    const destinations: Destinations = new Map();
    const ofRequests = new Map<string, string[]>();
    for (const event of events) {
      const request = requestKey(event.ws, event.srid);
      if (!ofRequests.has(request)) ofRequests.set(request, await this.known(request, destinations));
      const ids = ofRequests.get(request) ?? [];
      if (event.type === 'RequestReceived' && ids.length === 0) {
        const begun = openDestinations(event, this.asOf);
        for (const destination of begun) destinations.set(destination._id, destination);
        ids.push(...begun.map(({ _id }) => _id));
      }
      for (const id of ids) destinations.set(id, foldRequestEvent(destinations.get(id) as FoldedDestination, event));
    }
    await this.write(destinations);
  }

  /** An unknown destination began before the log does. */
  private async foldByDestination<E extends DeliveryEvent | ReplayCallback>(
    events: readonly E[],
    fold: (destination: FoldedDestination, event: E) => FoldedDestination,
  ): Promise<void> {
    const idOf = ({ ws, srid, destination }: E): string => `${requestKey(ws, srid)}|${destination}`;
    const found = await this.destinations.find({ _id: { $in: [...new Set(events.map(idOf))] } }).toArray();
    const destinations: Destinations = new Map(found.map((destination) => [destination._id, destination]));
    for (const event of events) {
      const destination = destinations.get(idOf(event));
      if (destination) destinations.set(destination._id, fold(destination, event));
    }
    await this.write(destinations);
  }

  private async known(request: string, destinations: Destinations): Promise<string[]> {
    const found = await this.destinations.find({ _id: idPrefixRange(request) }).toArray();
    for (const destination of found) destinations.set(destination._id, destination);
    return found.map(({ _id }) => _id);
  }

  private async write(destinations: Destinations): Promise<void> {
    const writes = [...destinations.values()].map((destination) => ({
      replaceOne: {
        filter: { _id: destination._id, ws: destination.ws },
        replacement: defined(destination) as FoldedDestination,
        upsert: true,
      },
    }));
    if (writes.length > 0) await this.destinations.bulkWrite(writes, { ordered: false });
  }
}
