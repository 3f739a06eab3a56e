import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import {
  commands,
  DEFAULT_LEGAL_CALENDAR,
  V1,
  V2,
  type Command,
  type ProtocolVersion,
  type RequestType,
} from '@opendsr-service/contracts';
import { MAX_RECORD_BYTES, PublishTimeout, type Publisher } from '@opendsr-service/messaging';
import { createLogger } from '@opendsr-service/service';
import { processSettings, readSettings } from '@opendsr-service/config';
import type { Workspace } from '@opendsr-service/workspaces';
import { admissionTimes, gatewayTable } from '../gateway.config';
import { defaultCreateLimits } from '../intake/create-limits';
import { readIntake } from '../intake/intake';
import { NamedSigner } from '../testing/signer';
import { World } from '../testing/world';
import { Admissions } from './admissions';
import { CommandPublisher } from './command-publisher.client';
import { commandOf } from './commands';
import { ReceivedTooLate } from './received-too-late';
import type { RequestDocument } from './request.document';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const signer = new NamedSigner('dsr.example.com');
const processorOf = (version: ProtocolVersion) => ({
  version,
  domain: signer.domain,
  publicUrl: '',
  certificatesUrl: '',
  signer,
});
const times = (environment: Readonly<Record<string, string>> = {}) =>
  admissionTimes(
    readSettings({ ...gatewayTable, ...processSettings }, { TIMING_PROFILE: 'production', ...environment }),
  );

let world: World;
let workspace: Workspace;
beforeEach(async () => {
  world = await World.open();
  workspace = {
    ws: world.ws,
    name: 'Acme',
    controllerId: 'c',
    afterErasure: 'accept',
    deviceMatching: 'anonymous',
    legal: DEFAULT_LEGAL_CALENDAR,
    class: 'standard',
    createdAt: world.clock.now(),
  };
});
afterEach(() => world.close());

const admissionsWith = (
  publisher: Publisher = world.publisher,
  environment = {},
  receivedTooLate?: ReceivedTooLate,
): Admissions =>
  new Admissions({
    ...(receivedTooLate && { receivedTooLate }),
    store: world.store,
    vault: world.vault,
    publisher: new CommandPublisher(publisher),
    clock: world.clock,
    times: times(environment),
  });

/** Admits what a controller of this version posts. */
function create(admissions: Admissions, version: ProtocolVersion, more: object = {}): Promise<RequestDocument> {
  const body = {
    subject_request_id: randomUUID(),
    subject_request_type: 'access',
    submitted_time: '2026-11-20T08:00:00Z',
    subject_identities: [
      { identity_type: 'email', identity_value: `${randomUUID()}@example.com`, identity_format: 'raw' },
    ],
    ...more,
  };
  const processor = processorOf(version);
  return admissions.create(
    workspace,
    readIntake(body, {
      version,
      extensionKey: processor.domain,
      otherKeys: [],
      callbackUrlFault: () => undefined,
      limits: defaultCreateLimits,
    }),
    processor,
    ({ srid }) => Promise.resolve(Buffer.from(`receipt of ${srid}`)),
  );
}

/** The commands that the log has, once there are so many. */
async function submitted(count: number) {
  return (await world.commands(count)).map((command: Command) =>
    command.type === 'SubmitRequest' ? command.request : undefined,
  );
}

it.each([
  ['2.0', V2, { regulation: 'ccpa' }, { regulation: 'ccpa' }],
  ['2.0', V2, { regulation: 'gdpr' }, { regulation: 'gdpr' }],
  ['1.0', V1, {}, {}],
  ['1.0', V1, { regulation: 'gdpr' }, {}],
] as const)(
  'publishes a request of version %s with its submitted time in UTC, and its regulation if it has one',
  async (apiVersion, version, more, facts) => {
    const admissions = admissionsWith();
    const request = await create(admissions, version, { submitted_time: '2026-11-20T10:30:15.25+02:00', ...more });
    await admissions.publishCommands(request);
    const [admission] = await submitted(1);
    expect(admission).toMatchObject({
      apiVersion,
      submittedTime: '2026-11-20T08:30:15.250Z',
      receivedAt: world.clock.now().toISOString(),
      ...facts,
    });
    expect(admission && 'regulation' in admission).toBe('regulation' in facts);
  },
);

it('refuses a request whose commands no broker would accept, and publishes the largest that it admits', async () => {
  const admissions = admissionsWith();
  const callbacks = Array.from({ length: 50 }, (_, n) => `https://example.com/${n}/${'p'.repeat(200)}`);
  const identities = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...{ identity_type: 'email', identity_format: 'raw' },
      identity_value: `${n}${'a'.repeat(3_900)}@example.com`,
    }));
  const large = (count: number) =>
    create(admissions, V2, {
      ...{ regulation: 'gdpr', subject_identities: identities(count), status_callback_urls: callbacks },
    });
  await expect(large(156)).rejects.toMatchObject({ status: 413 });
  const request = await large(148);
  const [record] = request.outbox.map((entry) => commands.encode(commandOf(request, entry)));
  const bytes = (record?.value.length ?? 0) + JSON.stringify(record?.headers).length + request._id.length;
  expect(bytes).toBeGreaterThan(0.85 * MAX_RECORD_BYTES);
  expect(bytes).toBeLessThan(MAX_RECORD_BYTES);
  expect(await world.store.find(world.ws, request.srid)).not.toBeNull();
});

it('uses the key of a refused request for the next one, and none twice', async () => {
  const admissions = admissionsWith();
  const newKey = jest.spyOn(world.vault, 'newKey');
  const more = (id: string) => ({
    ...{ regulation: 'gdpr', subject_request_id: id },
    subject_identities: [{ identity_type: 'email', identity_value: `${id}@example.com`, identity_format: 'raw' }],
  });
  const [first, second] = [randomUUID(), randomUUID()];
  const { kid } = await create(admissions, V2, more(first));
  await expect(create(admissions, V2, more(first))).rejects.toMatchObject({ status: 400 });
  const twin = { ...more(first), subject_request_id: randomUUID() };
  await expect(create(admissions, V2, twin)).rejects.toMatchObject({ status: 409 });
  const admitted = await create(admissions, V2, more(second));
  const kids = await Promise.all(newKey.mock.results.map(async ({ value }) => ((await value) as { kid: string }).kid));
  expect([...new Set(kids)]).toEqual([kid, admitted.kid]);
});

it('keeps the key of a request that was admitted without an answer', async () => {
  const admissions = admissionsWith();
  const admit = world.store.admit.bind(world.store);
  jest.spyOn(world.store, 'admit').mockImplementation(async (request) => (await admit(request)) && 'exists');
  const giveBack = jest.spyOn(world.vault, 'giveBack');
  await expect(create(admissions, V2, { regulation: 'gdpr' })).rejects.toMatchObject({ status: 400 });
  expect(giveBack).not.toHaveBeenCalled();
});

it.each([
  ['access', 15 * MINUTE_MS],
  ['portability', 15 * MINUTE_MS],
  ['erasure', 7 * DAY_MS],
] as const)(
  'expects the completion of a request for %s exactly 48 hours after its planned start',
  async (type: RequestType, waitMs: number) => {
    const { startAt, expectedAt, receivedAt } = await create(admissionsWith(), V2, {
      regulation: 'gdpr',
      subject_request_type: type,
    });
    const plannedAt = world.clock.now().getTime() + waitMs;
    expect([receivedAt, startAt?.getTime(), expectedAt.getTime()]).toEqual([
      world.clock.now(),
      plannedAt,
      plannedAt + 2 * DAY_MS,
    ]);
  },
);

it('expects the completion at the configured time after the planned start', async () => {
  const admissions = admissionsWith(world.publisher, { ACCESS_WAIT_MS: '3s', COMPLETION_ESTIMATE_MS: '1h' });
  const { expectedAt } = await create(admissions, V2, { regulation: 'gdpr' });
  expect(expectedAt.getTime()).toBe(world.clock.now().getTime() + 3_000 + 3_600_000);
});

it('admits a request even if its command cannot be published; the relay sends it again', async () => {
  const admissions = admissionsWith({
    available: true,
    publish: () => Promise.reject(new TypeError('a fault of our own')),
  });
  const request = await create(admissions, V2, { regulation: 'gdpr' });
  await expect(admissions.publishCommands(request)).resolves.toBeUndefined();
  world.clock.advance(world.resendMs);
  expect(await world.relay.runOnce()).toBe(1);
  expect(await submitted(1)).toHaveLength(1);
});

it('waits 150 ms at most for the log to acknowledge a command; the relay sends it again', async () => {
  const deadlines: unknown[] = [];
  const admissions = admissionsWith({
    available: true,
    publish: (_topic, _records, { deadlineMs } = {}) => {
      deadlines.push(deadlineMs);
      return Promise.reject(new PublishTimeout('late'));
    },
  });
  await admissions.publishCommands(await create(admissions, V2, { regulation: 'gdpr' }));
  expect(deadlines).toEqual([150]);
  world.clock.advance(world.resendMs);
  expect(await world.relay.runOnce()).toBe(1);
  expect(await submitted(1)).toHaveLength(1);
});

describe('the legal date', () => {
  const due = ({ legalSince, legalDueAt, countedBy, workspaceClass }: RequestDocument) =>
    [legalSince?.toISOString(), legalDueAt?.toISOString(), countedBy, workspaceClass].join(' ');

  it('is counted from the submitted time by the calendar of the workspace, and published with the request', async () => {
    workspace = {
      ...workspace,
      class: 'gold',
      legal: { ...DEFAULT_LEGAL_CALENDAR, timeZone: 'Europe/Berlin', holidays: ['2026-12-21'] },
    };
    const admissions = admissionsWith();
    const request = await create(admissions, V2, { regulation: 'gdpr' });
    expect(due(request)).toBe('2026-11-20T08:00:00.000Z 2026-12-22T22:59:59.999Z gdpr gold');
    expect(request.dueBy).toEqual(request.legalDueAt);
    await admissions.publishCommands(request);
    expect(await submitted(1)).toMatchObject([
      { legalSince: '2026-11-20T08:00:00.000Z', legalDueAt: '2026-12-22T22:59:59.999Z', workspaceClass: 'gold' },
    ]);
  });

  it('follows the regulation, the shorter one if none is named, and any shorter period of the workspace', async () => {
    const admissions = admissionsWith();
    const dueAt = async (version: ProtocolVersion, more: object = {}) =>
      (await create(admissions, version, more)).legalDueAt?.toISOString();
    expect(await dueAt(V2, { regulation: 'ccpa' })).toBe('2027-01-04T23:59:59.999Z');
    expect(await dueAt(V1)).toBe('2026-12-21T23:59:59.999Z');
    workspace = { ...workspace, legal: { ...DEFAULT_LEGAL_CALENDAR, shorterDays: { gdpr: 14 } } };
    expect(await dueAt(V2, { regulation: 'gdpr' })).toBe('2026-12-04T23:59:59.999Z');
    expect(await dueAt(V1)).toBe('2026-12-04T23:59:59.999Z');
  });

  it('is the expected completion where the estimate would be later', async () => {
    const legal = { ...DEFAULT_LEGAL_CALENDAR, shorterDays: { gdpr: 8 } };
    workspace = { ...workspace, legal };
    const asked = { regulation: 'gdpr', subject_request_type: 'erasure' };
    const request = await create(admissionsWith(), V2, asked);
    // It starts on the 28th of November; 48 hours later would be the 30th.
    expect(request.legalDueAt?.toISOString()).toBe('2026-11-28T23:59:59.999Z');
    expect(request.expectedAt).toEqual(request.legalDueAt);
  });

  it('that no start can meet is logged and counted without personal data, and changes no estimate', async () => {
    const lines: string[] = [];
    const tooLate = new ReceivedTooLate(createLogger('gateway', 'info', { write: (line) => void lines.push(line) }));
    const admissions = admissionsWith(world.publisher, {}, tooLate);
    await create(admissions, V2, { regulation: 'gdpr' });
    expect([lines, tooLate.metric.read().filter(({ value }) => value > 0)]).toEqual([[], []]);
    const asked = { regulation: 'ccpa', submitted_time: '2026-01-05T10:00:00Z' };
    const { srid, ws, expectedAt, startAt } = await create(admissions, V2, asked);
    expect(expectedAt.getTime() - Number(startAt?.getTime())).toBe(2 * DAY_MS);
    expect(tooLate.metric.read().filter(({ value }) => value > 0)).toEqual([
      { labels: { regulation: 'ccpa', type: 'access' }, value: 1 },
    ]);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', ws, srid, requestType: 'access' });
    expect(lines[0]).not.toContain('@example.com');
  });
});
