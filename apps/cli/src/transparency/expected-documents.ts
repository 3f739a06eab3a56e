import { TOPICS } from '@opendsr-service/contracts';
import type { ReceiptEvidence } from '@opendsr-service/gateway/operation';
import type { EventHistory } from '@opendsr-service/request/operation';
import type { OpenStores } from '@opendsr-service/service';
import { isYoung, type Expected } from './compare-documents';
import type { LogEntry } from './read-log';

const DAY_MS = 86_400_000;

/** What must have a leaf, with its fault where it differs from the event log: admissions, attestations, entries of the audit trail, and waivers and extensions as long as the event log keeps them. */
export async function* expectedDocuments({ storage, events }: OpenStores, now: Date): AsyncGenerator<Expected> {
  const [{ attestationsOf, dropsOf, receiptsOf, revealsOf }, { readEventHistories }] = await Promise.all([
    import('@opendsr-service/gateway/operation'),
    import('@opendsr-service/request/operation'),
  ]);
  const gateway = await storage.database('gateway');
  const { requests, proved } = await readEventHistories(events);
  for await (const receipt of receiptsOf(gateway))
    yield { kind: 'receipt', ...receipt, ...faultOf(receipt, requests.get(receipt.of), now) };
  for await (const { request, events: said, ...attestation } of attestationsOf(gateway)) {
    const ending = requests.get(request)?.ending;
    const differs = said !== undefined && ending !== undefined && said !== ending;
    yield { kind: 'attestation', ...attestation, ...(differs && { fault: 'the event log has another last event' }) };
  }
  for await (const drop of dropsOf(gateway)) yield { kind: 'parked-drop', ...drop };
  for await (const reveal of revealsOf(gateway)) yield { kind: 'identity-reveal', ...reveal };
  yield* proved;
}

type Extended = Pick<ReceiptEvidence, 'extension'>;

function faultOf(receipt: Extended, history: EventHistory | undefined, now: Date): Pick<Expected, 'fault'> {
  if (history?.isBroken) return { fault: 'an event does not hold the digest of the one before it' };
  const isSame = !history?.isWhole || receipt.extension?.until.getTime() === history.extendedUntil?.getTime();
  return isSame || isOnItsWay(receipt, now) ? {} : { fault: 'the event log has another extension' };
}

/** The event of an extension follows its decision. */
const isOnItsWay = ({ extension }: Extended, now: Date): boolean =>
  extension?.at !== undefined && isYoung({ at: extension.at }, now);

/** Whether the document of a leaf would be found, had there been one. Leaves of other kinds are not compared yet. */
export const isKnowable =
  (now: Date) =>
  ({ kind, at }: LogEntry): boolean =>
    ['receipt', 'attestation', 'parked-drop', 'identity-reveal'].includes(kind) ||
    (['waiver', 'extension'].includes(kind) &&
      now.getTime() - Date.parse(at) < TOPICS.requestEvents.retentionMs - DAY_MS);
