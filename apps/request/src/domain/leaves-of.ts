import type { KeyObject } from 'node:crypto';
import { evidenceLeaf, type EncodedMessage, type LeafKind, type RequestEvent } from '@opendsr-service/contracts';
import { digestOf } from './logged-event';

/**
 * The leaves of the transparency log that follow from an event (decision 25). They are published with it, so whatever becomes an
 * event becomes a leaf. A repeat gives the same leaves. `key` signs them.
 */
export function leavesOf(event: RequestEvent, key: KeyObject): readonly EncodedMessage[] {
  const { ws, srid, at } = event;
  if (event.type === 'RequestReceived' && event.request.receipt !== undefined) {
    const { receipt: digest, receivedAt, expectedAt, legalDueAt: dueAt = expectedAt } = event.request;
    return [evidenceLeaf({ ws, kind: 'receipt', of: [srid], digest, at: receivedAt, dueAt }, key)];
  }
  const kind = kindOf(event);
  if (kind === undefined) return [];
  const dueAt = event.type === 'DeadlineExtended' ? { dueAt: event.extendedUntil } : {};
  return [evidenceLeaf({ ws, kind, of: [srid, event.version], digest: digestOf(event), at, ...dueAt }, key)];
}

/** Of which kind the leaf of an event is that is itself what the leaf proves. */
export function kindOf(event: RequestEvent): LeafKind | undefined {
  if (event.type === 'DeadlineExtended') return 'extension';
  return event.type === 'ParticipantReported' && event.waivedBy !== undefined ? 'waiver' : undefined;
}
