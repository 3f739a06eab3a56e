import type { Connection } from 'mongoose';
import type { RequestDocument } from '../../admission/request.document';
import { findRequest, groupSizeOf } from '../../admission/requests-collection.store';
import { LedgerStore } from '../../callbacks/ledger.store';

const TIME_FIELDS = [
  'submittedTime',
  'receivedAt',
  'expectedAt',
  'legalSince',
  'legalDueAt',
  'atRiskAt',
  'extendedAt',
  'extendedUntil',
  'startAt',
  'startedAt',
  'completedAt',
  'cancelledAt',
  'keyDueAt',
  'keyDueBy',
  'keyGoneAt',
] as const satisfies readonly (keyof RequestDocument)[];

/** The facts of a request for tools: no personal data, no URL. Undefined: the request is unknown. */
export async function shownAdmission(connection: Connection, ws: string, srid: string) {
  const request = await findRequest(connection, ws, srid);
  const callbacks = (await new LedgerStore(connection).listByRequest(ws, srid)).map(
    ({ destination, version, status, statusAt, standing, attemptCount, attempts }) => ({
      destination,
      version,
      status,
      statusAt,
      ...standing,
      attemptCount,
      lastAttempt: attempts.at(-1),
    }),
  );
  if (!request) return callbacks.length === 0 ? undefined : { callbacks };
  const { status, type, regulation, apiVersion, controllerId, kid, seq, v, tries, extensions, outbox, outboxAt } =
    request;
  const groupSize = await groupSizeOf(connection, request);
  return {
    status,
    type,
    regulation,
    apiVersion,
    controllerId,
    kid,
    group: groupSize === undefined ? undefined : { requests: groupSize },
    times: Object.fromEntries(TIME_FIELDS.map((name) => [name, request[name]])),
    extendedBy: request.extendedBy,
    seq,
    v,
    outboxAt,
    tries,
    outbox: outbox.map((entry) => ({ seq: entry.seq, type: entry.type, at: entry.at })),
    outsideParticipants: extensions?.map(({ name, status: share }) => ({ name, status: share })),
    openDestinations: request.openDestinations,
    callbacks,
  };
}
