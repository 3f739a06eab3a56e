import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  callbackUrlSeal,
  identitiesSeal,
  messageId,
  type Admission,
  type ApiVersion,
  type ParticipantExtension,
  type RequestEvent,
  type RequestType,
} from '@opendsr-service/contracts';
import { hostOf } from '@opendsr-service/edge';
import type { Publisher } from '@opendsr-service/messaging';
import { readSettings } from '@opendsr-service/config';
import { createLogger, ManualClock } from '@opendsr-service/service';
import type { Signers } from '@opendsr-service/signing';
import { ensureIndexes, openStorage } from '@opendsr-service/storage';
import { ensureMasterKey, openVault } from '@opendsr-service/vault';
import { callbackDispatcherTable } from '../callback-dispatcher.config';
import { CallbacksClient } from '../dispatch/callbacks.client';
import { DispatchWorker } from '../dispatch/dispatch.worker';
import { HostOutcomes } from '../dispatch/host-outcomes';
import { processorsOf } from '../dispatch/processor';
import type { DispatchLimits } from '../dispatch/traffic';
import { sendingOf } from '../dispatch/sending.config';
import { DeliveryCounts } from '../destinations/delivery-counts';
import type { Destination } from '../destinations/destination';
import { deliveryId } from '../destinations/destination-events';
import { DestinationProjection } from '../destinations/destination-projection';
import { DestinationsCollection } from '../destinations/destinations-collection.store';
import { DestinationsStore } from '../destinations/destinations.store';
import { DestinationClaims } from '../destinations/destination-claims.store';
import { publishDeliveries } from '../destinations/publish-deliveries';
import { makeIdentity, type Identity } from './identity';
import { openReceiver } from './receiver';

export const SECOND = 1_000;
export const DAY = 86_400_000;
export const WS = 'acme';
export const SRID = '475974fa-6b42-4370-bb56-b5d845686bb5';
export const EXPECTED_AT = '2026-11-23T12:15:00.000Z';
/** Another request than SRID. */
export const otherSrid = (n: number): string => `475974fa-6b42-4370-bb56-${String(n).padStart(12, '0')}`;

const START = new Date('2026-11-21T12:00:00.500Z');
export const LEASE_MS = 30 * SECOND;
export const TRY_MS = 17 * SECOND;
const LIMITS: DispatchLimits = {
  concurrency: 8,
  slowConcurrency: 8,
  leaseMs: LEASE_MS,
  tryMs: TRY_MS,
  hostConcurrency: 8,
  slowMs: 2 * SECOND,
  breaker: { failures: 5, pauseMs: SECOND },
};
const URLS = { PUBLIC_URL_V2: 'https://dsr.example', PUBLIC_URL_V1: 'https://gdpr.example' };
const TIMES = { tickMs: SECOND, spreadMs: 0, retryGapsMs: [1, 2, 4].map((n) => n * SECOND), giveUpAfterMs: 7 * DAY };

/** A log that takes everything: nobody reads it here. */
const acknowledging: Publisher = { available: true, publish: () => Promise.resolve() };

type Happening = RequestEvent extends infer E
  ? E extends RequestEvent
    ? Omit<E, 'id' | 'ws' | 'srid' | 'commandSeq' | 'at'>
    : never
  : never;
export type World = Awaited<ReturnType<typeof openWorld>>;

/** Gives each test of a file a world of its own, and all of them one identity. */
export function eachInAWorld(enter: (world: World, identity: Identity) => void): void {
  let identity: Identity;
  let world: World;
  beforeAll(async () => {
    identity = await makeIdentity(new Date());
  });
  afterAll(() => {
    identity.remove();
  });
  beforeEach(async () => {
    world = await openWorld(identity);
    enter(world, identity);
  });
  afterEach(() => world.close());
}

/** A dispatcher with embedded stores, a receiver on this machine and a clock that a test moves. */
export async function openWorld({ certificates, signers }: Identity) {
  const dataDir = mkdtempSync(join(tmpdir(), 'dispatch-'));
  const clock = new ManualClock(START);
  const storage = await openStorage({ dataDir });
  const connection = await storage.database('callback_dispatcher');
  const keys = await openVault(
    await storage.database('keys'),
    { masterKey: await ensureMasterKey(join(dataDir, 'master.key')) },
    () => clock.now().getTime(),
    acknowledging,
  );
  const destinations = new DestinationsCollection(connection);
  const store = new DestinationClaims(destinations);
  await ensureIndexes(connection);
  const counts = new DeliveryCounts();
  const projection = new DestinationProjection(
    new DestinationsStore(destinations, publishDeliveries(acknowledging), counts),
    clock,
    TIMES,
  );
  const dependencies = { ...keys, processors: processorsOf(URLS, signers) };
  const receiver = await openReceiver(certificates.receiver);
  const lines: string[] = [];
  const log = createLogger('test', 'debug', { write: (line) => void lines.push(line) });
  const client = new CallbacksClient(
    await sendingOf(
      readSettings(callbackDispatcherTable, {
        TIMING_PROFILE: 'sandbox',
        CALLBACK_CA_FILE: certificates.authorityFile,
      }),
    ),
    log,
  );

  const hosts = new HostOutcomes();
  const dispatcher = (limits: Partial<DispatchLimits> = {}, served: Signers = signers): DispatchWorker =>
    new DispatchWorker({
      store,
      dependencies: { ...dependencies, processors: processorsOf(URLS, served) },
      client,
      clock,
      times: TIMES,
      limits: { ...LIMITS, ...limits },
      counts,
      hosts,
      log,
    });
  const worker = dispatcher();

  /** Where events go: onto the destinations at once, unless a test sends them another way. */
  const way = {
    deliver: async (event: RequestEvent): Promise<void> => {
      expect(await projection.apply(event)).toBe('done');
    },
  };
  const happen = (fact: Happening, srid = SRID, ws = WS): Promise<void> =>
    way.deliver({
      ...fact,
      ws,
      srid,
      id: messageId(ws, srid, fact.version),
      commandSeq: 1,
      at: clock.now().toISOString(),
    });

  /** A request with a callback for each URL, as the gateway seals it; answers the id of its key. */
  async function admitTo(
    urls: readonly string[],
    {
      type = 'access',
      srid = SRID,
      apiVersion = '2.0',
      ws = WS,
    }: { type?: RequestType; srid?: string; apiVersion?: ApiVersion; ws?: string } = {},
  ): Promise<string> {
    const key = await keys.vault.newKey(ws, 'request');
    const index = await keys.vault.index(ws);
    const callbacks = urls.map((url) => {
      const destination = index.hash('callback-url', url);
      return {
        destination,
        url: key.seal(callbackUrlSeal({ ws, srid }, destination), url),
        host: index.hash('callback-host', hostOf(url)),
      };
    });
    const at = clock.now().toISOString();
    const request: Admission = {
      controllerId: '1402',
      apiVersion,
      type,
      submittedTime: at,
      receivedAt: at,
      startAt: at,
      expectedAt: EXPECTED_AT,
      groupId: null,
      fingerprint: 'f',
      kid: key.kid,
      identities: key.seal(identitiesSeal({ ws, srid }), '[]'),
      callbacks,
    };
    await happen({ type: 'RequestReceived', version: 1, request }, srid, ws);
    return key.kid;
  }

  /** The same, at the receiver. */
  const admit = (paths: readonly string[], more?: Parameters<typeof admitTo>[1]) =>
    admitTo(
      paths.map((path) => `${receiver.base}${path}`),
      more,
    );

  /** Sends what is due now, and what becomes due by it. */
  const send = async (by = worker): Promise<void> => {
    while ((await by.runOnce()) > 0) await by.idle();
  };

  return {
    ...{
      dataDir,
      storage,
      way,
      clock,
      connection,
      keys,
      store,
      dependencies,
      client,
      receiver,
      lines,
      worker,
      dispatcher,
      admit,
      admitTo,
      send,
      log,
      counts,
      hosts,
      times: TIMES,
      limits: LIMITS,
    },
    begin: (more: { extensions?: readonly ParticipantExtension[] } = {}) =>
      happen({
        type: 'RequestStarted',
        version: 2,
        participants: [],
        ...more,
        work: { type: 'access', kid: 'k', identities: 'c2VhbGVkIHRleHQgb2YgdGhlIHZhdWx0LCBub3RoaW5nIGVsc2U=' },
      }),
    complete: async () => {
      await happen({ type: 'RequestFulfilled', version: 3 });
      await happen({ type: 'RequestCompleted', version: 4 });
    },
    /** Lets time pass tick by tick and sends what is due at each. */
    pass: async (ticks = 1, by = worker) => {
      for (let n = 0; n < ticks; n += 1) {
        clock.advance(SECOND);
        await send(by);
      }
    },
    /** Obeys the command to send what version `v` changed once more, on the only destination. */
    replay: async (v: number) => {
      const destination = (await connection.collection<Destination>('destinations').findOne({})) as Destination;
      const command = {
        type: 'ReplayCallback',
        id: randomUUID(),
        ws: WS,
        srid: destination.srid,
        at: clock.now().toISOString(),
        destination: destination.destination,
        version: v,
        delivery: deliveryId(destination, v),
      } as const;
      expect(await projection.replay(command)).toBe('done');
    },
    /** What is counted of all dispatchers together. */
    metric: (name: string): Record<string, number> =>
      Object.fromEntries(
        (counts.metrics.find((one) => one.name === name)?.read() ?? []).map(({ labels, value }) => [
          Object.values(labels).join(),
          value,
        ]),
      ),
    destinations: () => connection.collection<Destination>('destinations').find({}).sort({ _id: 1 }).toArray(),
    destination: async () => connection.collection<Destination>('destinations').findOne({}) as Promise<Destination>,
    close: async () => {
      await worker.stop();
      await client.close();
      await receiver.close();
      await storage.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
