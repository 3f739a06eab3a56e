import { setTimeout as sleep } from 'node:timers/promises';
import { V1, V2, type ProtocolVersion, type RequestStatus } from '@opendsr-service/contracts';
import { signatureFaults } from '../../receiver/verification';
import { raw, requestBody, type Answer } from '../controller';
import type { Heard } from '../deaths/delivery-ledger';
import type { Callers } from './callers';
import { hear } from './hearing';
import { cancelSurely } from './sure-cancel';

/** A request that the service has taken, and what its answers promised. */
export interface Life {
  readonly id: string;
  readonly version: ProtocolVersion;
  /** Whether there are data of its person. */
  readonly hasData: boolean;
  /** How it must end; undefined where answers that broke leave it open. */
  readonly promised: RequestStatus | undefined;
  readonly heard: readonly Heard[];
}

/** How long requests wait before they start, here. Portability waits for longer than any test. */
export const WAIT_MS = 1_500;
const MOMENT_MS = 200;
/** A create that was refused while the database was away may have been stored. */
const ALREADY_EXISTS = 400;

interface Kind {
  readonly type: 'access' | 'erasure' | 'portability';
  /** After so long it is cancelled. */
  readonly cancelAfterMs?: number;
  readonly hasData?: boolean;
}

const ordinary: Kind = { type: 'access', hasData: true };
/** The third is cancelled about when it starts. */
const kinds: readonly Kind[] = [
  ordinary,
  { type: 'erasure' },
  { type: 'access', cancelAfterMs: WAIT_MS },
  { type: 'portability', cancelAfterMs: MOMENT_MS },
];

/** One request of a controller, from the data of its person to its cancel. Nothing where the create was not answered. */
export async function liveOnce(callers: Callers, n: number): Promise<Life | undefined> {
  const { family, cluster, calls } = callers;
  const { type, cancelAfterMs, hasData = false } = kinds[n % kinds.length] ?? ordinary;
  const version = n % 3 === 0 ? V1 : V2;
  const controller = callers.callerOf(n, version);
  const person = `person-${String(n)}@${family}.example.com`;
  if (hasData) await calls.noted('events', [202], () => controller.ingest('/v2/events', visit(person, n)));
  const body = requestBody({ subject_request_type: type, subject_identities: [raw('email', person)] }, version);
  const id = body.subject_request_id;
  const hearing = hear(cluster, id, version);
  const created = await calls.noted(
    'create',
    [201],
    () => controller.create({ ...body, status_callback_urls: [hearing.url] }),
    [201, ALREADY_EXISTS],
  );
  if (created?.status === 201) await checkReceipt(callers, created, version);
  else if (created?.status !== ALREADY_EXISTS) return undefined;
  const life = { id, version, hasData, heard: hearing.heard };
  if (cancelAfterMs === undefined) return { ...life, promised: 'completed' };
  await sleep(cancelAfterMs);
  return { ...life, promised: await cancelSurely(calls, type !== 'portability', () => controller.cancel(id)) };
}

async function checkReceipt({ calls, cluster }: Callers, receipt: Answer, version: ProtocolVersion): Promise<void> {
  const headerOf = (name: string) => receipt.headers.get(name) ?? undefined;
  const faults = await signatureFaults(receipt.body, headerOf, cluster.trustOf(version), version);
  calls.unbelieved.push(...faults);
  if (faults.length > 0) calls.doubted.push(receipt);
}

/** A batch of one event of a person. */
export const visit = (email: string, n: number) => ({
  user_identities: { email },
  environment: 'production',
  events: [{ event_type: 'custom_event', data: { event_name: `visit-${String(n)}` } }],
});
