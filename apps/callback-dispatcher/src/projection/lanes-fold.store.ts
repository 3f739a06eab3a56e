import {
  commands,
  deliveryEvents,
  MalformedMessage,
  requestEvents,
  requestKey,
  TOPICS,
  type DeliveryEvent,
  type ReplayCallback,
  type RequestEvent,
} from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import { idsBelow } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { foldDelivery, foldReplay } from './fold-delivery';
import { beginLanes, defined, foldRequestEvent, type FoldedLane } from './folded-lane';

type Lanes = Map<string, FoldedLane>;

/** Takes what the log tells of lanes into an empty store, a batch at a time. */
export class LanesFold {
  private readonly lanes: Collection<FoldedLane>;

  constructor(
    scratch: Connection,
    private readonly asOf: Date,
  ) {
    this.lanes = scratch.collection<FoldedLane>('lanes');
  }

  async take(records: readonly LogRecord[]): Promise<void> {
    const topic = records[0]?.topic;
    if (topic === TOPICS.requestEvents.name) await this.takeRequestEvents(decoded(requestEvents, records));
    if (topic === TOPICS.deliveryEvents.name) await this.takeOfLanes(decoded(deliveryEvents, records), foldDelivery);
    if (topic === TOPICS.commands.name)
      await this.takeOfLanes(
        decoded(commands, records).filter((command): command is ReplayCallback => command.type === 'ReplayCallback'),
        foldReplay,
      );
  }

  private async takeRequestEvents(events: readonly RequestEvent[]): Promise<void> {
    const lanes: Lanes = new Map();
    const ofRequests = new Map<string, string[]>();
    for (const event of events) {
      const request = requestKey(event.ws, event.srid);
      if (!ofRequests.has(request)) ofRequests.set(request, await this.known(request, lanes));
      const ids = ofRequests.get(request) ?? [];
      if (event.type === 'RequestReceived' && ids.length === 0) {
        const begun = beginLanes(event, this.asOf);
        for (const lane of begun) lanes.set(lane._id, lane);
        ids.push(...begun.map(({ _id }) => _id));
      }
      for (const id of ids) lanes.set(id, foldRequestEvent(lanes.get(id) as FoldedLane, event));
    }
    await this.write(lanes);
  }

  /** A lane that is not known began before the log does. */
  private async takeOfLanes<E extends DeliveryEvent | ReplayCallback>(
    events: readonly E[],
    fold: (lane: FoldedLane, event: E) => FoldedLane,
  ): Promise<void> {
    const idOf = ({ ws, srid, lane }: E): string => `${requestKey(ws, srid)}|${lane}`;
    const found = await this.lanes.find({ _id: { $in: [...new Set(events.map(idOf))] } }).toArray();
    const lanes: Lanes = new Map(found.map((lane) => [lane._id, lane]));
    for (const event of events) {
      const lane = lanes.get(idOf(event));
      if (lane) lanes.set(lane._id, fold(lane, event));
    }
    await this.write(lanes);
  }

  /** Reads the lanes of a request; answers their ids. */
  private async known(request: string, lanes: Lanes): Promise<string[]> {
    const found = await this.lanes.find({ _id: idsBelow(request) }).toArray();
    for (const lane of found) lanes.set(lane._id, lane);
    return found.map(({ _id }) => _id);
  }

  private async write(lanes: Lanes): Promise<void> {
    const writes = [...lanes.values()].map((lane) => ({
      replaceOne: { filter: { _id: lane._id, ws: lane.ws }, replacement: defined(lane) as FoldedLane, upsert: true },
    }));
    if (writes.length > 0) await this.lanes.bulkWrite(writes, { ordered: false });
  }
}

/** What is malformed is passed over: it lies parked, and changed nothing. */
function decoded<M>(codec: { decode(record: LogRecord): M }, records: readonly LogRecord[]): M[] {
  return records.flatMap((record) => {
    try {
      return [codec.decode(record)];
    } catch (error) {
      if (error instanceof MalformedMessage) return [];
      throw error;
    }
  });
}
