import { randomUUID } from 'node:crypto';
import {
  commands,
  deliveryEvents,
  messageId,
  requestEvents,
  requestKey,
  TOPICS,
  type RequestCommand,
  type RequestEvent,
} from '@opendsr-service/contracts';
import type { Positions } from '@opendsr-service/messaging';
import type { RequestDocument } from '../../admission/request.document';
import { sealingKeys, sealIntake } from '../../admission/sealing';
import { World } from '../../testing/world';

const DAY_MS = 86_400_000;
const OUTSIDE = { domain: 'crm.example', name: 'crm' };

type Fact = { readonly type: RequestEvent['type'] } & Readonly<Record<string, unknown>>;

/** What a controller asks for, as far as it matters here. */
export interface Asked {
  readonly fingerprint?: string;
  readonly groupId?: string;
  readonly url?: string;
}

/**
 * A gateway with a request service behind it that handles commands on demand. A copy of the admissions
 * is kept after each step.
 */
export class History {
  readonly copies: RequestDocument[][] = [];
  private readonly versions = new Map<string, { version: number; commandSeq: number }>();
  private positions: Positions = {};

  private constructor(readonly world: World) {}

  static async open(): Promise<History> {
    const world = await World.open();
    await (
      await world.parts.storage.database('workspaces')
    )
      .collection<{ _id: string }>('workspaces')
      .insertOne({ _id: world.ws });
    await world.parts.participants.add({ ws: world.ws, ...OUTSIDE, types: ['access'] });
    return new History(world);
  }

  async admit({ fingerprint, groupId, url }: Asked = {}): Promise<RequestDocument> {
    const { world } = this;
    const srid = randomUUID();
    const now = world.clock.now();
    const startAt = new Date(now.getTime() + world.waitMs);
    const of = { srid, type: 'access', submittedTime: now, groupId: groupId ?? null } as const;
    const sealed = sealIntake(await sealingKeys(world.vault, world.ws), world.ws, {
      ...of,
      identities: [],
      callbackUrls: url === undefined ? [] : [url],
    });
    const admitted = await world.store.admit({
      ...{
        _id: requestKey(world.ws, srid),
        ws: world.ws,
        controllerId: 'c',
        apiVersion: '2.0',
        receivedAt: now,
        expectedAt: startAt,
        startAt,
        ...world.legalDates(),
      },
      ...{ ...of, ...sealed, fingerprint: fingerprint ?? srid },
    });
    if (typeof admitted === 'string') throw new Error(`refused: ${admitted}`);
    await this.copy();
    return admitted;
  }

  /** An operator extends the legal date. */
  async extend({ srid }: Pick<RequestDocument, 'srid'>): Promise<void> {
    const { ws, clock } = this.world;
    const extended = await this.world.extend({ srid });
    if (typeof extended === 'string') throw new Error(`refused: ${extended} for ${ws} at ${clock.now().toISOString()}`);
    await this.copy();
  }

  async cancel({ srid }: RequestDocument): Promise<void> {
    await this.world.store.cancel(this.world.ws, srid, this.world.clock.now());
    await this.copy();
  }

  /** Starts whatever is due. */
  async start(): Promise<void> {
    this.world.clock.advance(this.world.waitMs);
    await this.world.start.runOnce();
    await this.copy();
  }

  /**
   * Sends what is unanswered, and lets the request service answer it; with `unheard` the gateway does not hear of it.
   */
  async answer({ unheard = false } = {}): Promise<void> {
    await this.send();
    const heard: RequestCommand[] = [];
    this.positions = await this.world.parts.log.read(TOPICS.commands.name, this.positions, (records) => {
      heard.push(...records.map((record) => commands.decode(record) as RequestCommand));
      return Promise.resolve();
    });
    for (const command of heard) await this.answerOne(command, unheard);
  }

  /** Sends commands that no event has answered. */
  async send(): Promise<void> {
    this.world.clock.advance(60_000);
    await this.world.relay.runOnce();
    await this.copy();
  }

  /** A participant of another team reports; with the last word the request is fulfilled. */
  async report(request: RequestDocument, status: 'completed' | 'failed', { unheard = false } = {}): Promise<void> {
    const extensions = [{ ...OUTSIDE, status: status === 'failed' ? 'failed' : 'sent', statusMessage: null }];
    await this.publishEvent(
      request,
      { type: 'ParticipantReported', participant: OUTSIDE.name, status, extensions },
      { unheard },
    );
    if (status === 'completed') await this.publishEvent(request, { type: 'RequestFulfilled' }, { unheard });
  }

  /** Nothing will be sent on the destinations of a request any more. */
  async settle(request: RequestDocument): Promise<void> {
    const { ws, srid } = request;
    for (const { destination } of request.sealed?.callbacks ?? []) {
      const event = {
        type: 'DestinationSettled',
        id: messageId(ws, srid, destination),
        ws,
        srid,
        destination,
        at: this.world.clock.now().toISOString(),
        outcome: 'delivered',
      } as const;
      await this.world.parts.log.publisher.publish(TOPICS.deliveryEvents.name, [deliveryEvents.encode(event)]);
      await this.world.keys.settleDestination(event);
    }
    await this.copy();
  }

  /** Destroys the keys that nothing needs any more. */
  async destroyKeys(): Promise<void> {
    this.world.clock.advance(31 * DAY_MS);
    await this.world.keyWorker.runOnce();
    await this.copy();
  }

  private async answerOne({ type, ws, srid, seq, at, ...data }: RequestCommand, unheard: boolean): Promise<void> {
    const { commandSeq } = this.versions.get(srid) ?? { commandSeq: 0 };
    if (seq !== commandSeq + 1) return;
    const facts: Readonly<Record<RequestCommand['type'], Fact>> = {
      SubmitRequest: { type: 'RequestReceived', ...('request' in data && { request: data.request }) },
      CancelRequest: { type: 'RequestCancelled' },
      StartRequest: {
        type: 'RequestStarted',
        participants: [OUTSIDE.name],
        ...('work' in data && { work: data.work }),
        extensions: [{ ...OUTSIDE, status: 'pending', statusMessage: null }],
      },
      ExtendDeadline: { type: 'DeadlineExtended', ...data },
      CompleteRequest: { type: 'RequestCompleted', extensions: [{ ...OUTSIDE, status: 'sent', statusMessage: null }] },
    };
    await this.publishEvent({ ws, srid }, facts[type], { seq, at, unheard });
  }

  private async publishEvent(
    { ws, srid }: Pick<RequestDocument, 'ws' | 'srid'>,
    fact: Fact,
    {
      seq,
      at = this.world.clock.now().toISOString(),
      unheard = false,
    }: { seq?: number; at?: string; unheard?: boolean },
  ): Promise<void> {
    const before = this.versions.get(srid) ?? { version: 0, commandSeq: 0 };
    const next = { version: before.version + 1, commandSeq: seq ?? before.commandSeq };
    this.versions.set(srid, next);
    const event = { ...fact, id: messageId(ws, srid, next.version), ws, srid, at, ...next } as unknown as RequestEvent;
    await this.world.parts.log.publisher.publish(TOPICS.requestEvents.name, [requestEvents.encode(event)]);
    if (!unheard) await this.world.view.apply(event);
    await this.copy();
  }

  /** The admissions as they are now. */
  async admissions(): Promise<RequestDocument[]> {
    return this.world.parts.connection
      .collection<RequestDocument>('requests')
      .find({}, { sort: { _id: 1 } })
      .toArray();
  }

  private async copy(): Promise<void> {
    this.copies.push(await this.admissions());
  }
}
