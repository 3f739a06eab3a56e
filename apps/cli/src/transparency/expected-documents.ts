import { TOPICS } from '@opendsr-service/contracts';
import type { AttestationEvidence, ReceiptEvidence, RequestEnd } from '@opendsr-service/gateway/operation';
import type { EndingEvent, EventHistory } from '@opendsr-service/request/operation';
import type { OpenStores } from '@opendsr-service/service';
import { isYoung, type Expected } from './compare-documents';
import type { LogEntry } from './read-log';

const DAY_MS = 86_400_000;

/** What must have a leaf, with its fault where it differs from the event log: admissions, attestations, entries of the audit trail, and waivers and extensions as long as the event log keeps them. */
export async function* expectedDocuments({ storage, events }: OpenStores, now: Date): AsyncGenerator<Expected> {
  const [{ attestationsOf, auditedOf, receiptsOf }, { readEventHistories }] = await Promise.all([
    import('@opendsr-service/gateway/operation'),
    import('@opendsr-service/request/operation'),
  ]);
  const gateway = await storage.database('gateway');
  const { requests, proved } = await readEventHistories(events);
  const ends = new Map<string, End>();
  for await (const receipt of receiptsOf(gateway)) {
    ends.set(receipt.of, receipt.request);
    yield { kind: 'receipt', ...receipt, ...faultOf(receipt, requests.get(receipt.of), now) };
  }
  for await (const { request, said, ...attestation } of attestationsOf(gateway)) {
    const fault = said && attestedFault(said, ends.get(request), requests.get(request)?.ending, now);
    yield { kind: 'attestation', ...attestation, ...(fault !== undefined && { fault }) };
  }
  yield* auditedOf(gateway);
  yield* proved;
}

type Receipt = Pick<ReceiptEvidence, 'extension' | 'request'>;
type End = Partial<RequestEnd>;

function faultOf(receipt: Receipt, history: EventHistory | undefined, now: Date): Pick<Expected, 'fault'> {
  if (history?.isBroken) return { fault: 'an event does not hold the digest of the one before it' };
  if (history?.isWhole && isAnotherExtension(receipt, history, now))
    return { fault: 'the event log has another extension' };
  return history && isAnotherEnd(receipt, history, now) ? { fault: 'the event log has another end' } : {};
}

/** The event of an extension follows its decision. */
function isAnotherExtension({ extension }: Receipt, { extendedUntil }: EventHistory, now: Date): boolean {
  if (extension?.until.getTime() === extendedUntil?.getTime()) return false;
  return extension?.at === undefined || !isYoung({ at: extension.at }, now);
}

/** Which of the two is first depends on who ends the request; both have its time. */
function isAnotherEnd({ request }: Receipt, { ending, isWhole }: EventHistory, now: Date): boolean {
  if (ending && request.endedAt) return !isSameEnd(request, { endedAt: ending.at, outcome: ending.outcome });
  const at = ending?.at ?? (isWhole ? request.endedAt : undefined);
  return at !== undefined && !isYoung({ at }, now);
}

const isSameEnd = (one: End, { endedAt, outcome }: RequestEnd): boolean =>
  one.endedAt?.getTime() === endedAt.getTime() && one.outcome === outcome;

/** The statement outlives the event log. A request may have ended after its document was read. */
function attestedFault(
  said: NonNullable<AttestationEvidence['said']>,
  end: End | undefined,
  ending: EndingEvent | undefined,
  now: Date,
): string | undefined {
  if (ending && said.events !== ending.digest) return 'the event log has another last event';
  if (!end || isYoung({ at: said.endedAt }, now)) return undefined;
  return isSameEnd(end, said) ? undefined : 'its request has another end';
}

/** Whether the document of a leaf would be found, had there been one. Leaves of other kinds are not compared yet. */
export const isKnowable =
  (now: Date) =>
  ({ kind, at }: LogEntry): boolean =>
    ['receipt', 'attestation', 'parked-drop', 'identity-reveal'].includes(kind) ||
    (['waiver', 'extension'].includes(kind) &&
      now.getTime() - Date.parse(at) < TOPICS.requestEvents.retentionMs - DAY_MS);
