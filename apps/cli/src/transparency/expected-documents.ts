import { TOPICS } from '@opendsr-service/contracts';
import type { EventHistory } from '@opendsr-service/request/operation';
import type { OpenStores } from '@opendsr-service/service';
import type { Expected } from './compare-documents';
import type { LogEntry } from './read-log';

const DAY_MS = 86_400_000;

/** What must have a leaf, with its fault where it differs from the event log: admissions, attestations, entries of the audit trail, and waivers and extensions as long as the event log keeps them. */
export async function* expectedDocuments({ storage, events }: OpenStores): AsyncGenerator<Expected> {
  const [{ attestationsOf, dropsOf, receiptsOf, revealsOf }, { readEventHistories }] = await Promise.all([
    import('@opendsr-service/gateway/operation'),
    import('@opendsr-service/request/operation'),
  ]);
  const gateway = await storage.database('gateway');
  const { requests, proved } = await readEventHistories(events);
  for await (const receipt of receiptsOf(gateway))
    yield { kind: 'receipt', ...receipt, ...faultOf(receipt, requests.get(receipt.of)) };
  for await (const { request, events: said, ...attestation } of attestationsOf(gateway)) {
    const ending = requests.get(request)?.ending;
    const differs = said !== undefined && ending !== undefined && said !== ending;
    yield { kind: 'attestation', ...attestation, ...(differs && { fault: 'the event log has another last event' }) };
  }
  for await (const drop of dropsOf(gateway)) yield { kind: 'parked-drop', ...drop };
  for await (const reveal of revealsOf(gateway)) yield { kind: 'identity-reveal', ...reveal };
  yield* proved;
}

function faultOf({ extendedUntil }: { readonly extendedUntil?: Date }, history: EventHistory | undefined) {
  if (history?.isBroken) return { fault: 'an event does not hold the digest of the one before it' };
  const isKnown = history?.isWhole ?? false;
  return isKnown && extendedUntil?.getTime() !== history?.extendedUntil?.getTime()
    ? { fault: 'the event log has another extension' }
    : {};
}

/** Whether the document of a leaf would be found, had there been one. Leaves of other kinds are not compared yet. */
export const isKnowable =
  (now: Date) =>
  ({ kind, at }: LogEntry): boolean =>
    ['receipt', 'attestation', 'parked-drop', 'identity-reveal'].includes(kind) ||
    (['waiver', 'extension'].includes(kind) &&
      now.getTime() - Date.parse(at) < TOPICS.requestEvents.retentionMs - DAY_MS);
