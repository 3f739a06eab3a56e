import { TOPICS } from '@opendsr-service/contracts';
import type { OpenStores } from '@opendsr-service/service';
import type { Expected } from './compare-documents';
import type { LogEntry } from './read-log';

const DAY_MS = 86_400_000;

/** What must have a leaf: admissions, attestations, entries of the audit trail, and waivers and extensions as long as the event log keeps them. */
export async function* expectedDocuments({ storage, events }: OpenStores): AsyncGenerator<Expected> {
  const [{ attestationsOf, dropsOf, receiptsOf, revealsOf }, { provedEventsOf }] = await Promise.all([
    import('@opendsr-service/gateway/operation'),
    import('@opendsr-service/request/operation'),
  ]);
  const gateway = await storage.database('gateway');
  for await (const receipt of receiptsOf(gateway)) yield { kind: 'receipt', ...receipt };
  for await (const attestation of attestationsOf(gateway)) yield { kind: 'attestation', ...attestation };
  for await (const drop of dropsOf(gateway)) yield { kind: 'parked-drop', ...drop };
  for await (const reveal of revealsOf(gateway)) yield { kind: 'identity-reveal', ...reveal };
  yield* await provedEventsOf(events);
}

/** Whether the document of a leaf would be found, had there been one. Leaves of other kinds are not compared yet. */
export const isKnowable =
  (now: Date) =>
  ({ kind, at }: LogEntry): boolean =>
    ['receipt', 'attestation', 'parked-drop', 'identity-reveal'].includes(kind) ||
    (['waiver', 'extension'].includes(kind) &&
      now.getTime() - Date.parse(at) < TOPICS.requestEvents.retentionMs - DAY_MS);
