import type { ParkedPage } from '@opendsr-service/operator-answers';
import type { RequestDocument } from '../../admission/request.document';
import type { LedgerEntry } from '../../callbacks/ledger-entry';
import type { AttestationDocument } from '../../evidence/attestation.document';
import type { AuditEntry } from '../../audit/audit-entry';
import type { HistoryEntry, HistoryFacts } from './history-entry';

const entry = (kind: HistoryEntry['kind'], at: Date, name = '', facts: HistoryFacts = {}): HistoryEntry => ({
  ...{ id: name === '' ? kind : `${kind} ${name}`, at, kind, facts },
});

/** Of a time that may be missing. */
const once = (kind: HistoryEntry['kind'], at: Date | undefined, facts: HistoryFacts = {}): readonly HistoryEntry[] =>
  at ? [entry(kind, at, '', facts)] : [];

/** What the admission says: its own times, what participants reported last, and what waits for the request service. */
export const historyOfAdmission = (request: RequestDocument): readonly HistoryEntry[] => [
  entry('received', request.receivedAt),
  ...once('started', request.startedAt),
  ...once('extended', request.extendedAt, {
    ...(request.extendedBy !== undefined && { role: request.extendedBy }),
    ...(request.extendedUntil && { until: request.extendedUntil.toISOString() }),
  }),
  ...once('completed', request.completedAt),
  ...once('cancelled', request.cancelledAt),
  ...once('key_destroyed', request.keyGoneAt),
  ...Object.entries(request.reports ?? {}).map(([participant, { at, status, waivedBy }]) =>
    entry('participant_reported', new Date(at), participant, {
      ...{ participant, participant_status: status },
      ...(waivedBy !== undefined && { role: waivedBy }),
    }),
  ),
  ...request.outbox.map(({ seq, type, at }) =>
    entry('command_waiting', new Date(at), String(seq), { command: type, number: seq }),
  ),
];

/** When a callback was queued first, its last attempts, and when the next one is due. */
export function historyOfCallback({ delivery, destination, status, statusAt, attempts, standing }: LedgerEntry) {
  const of = { delivery_id: delivery, destination, request_status: status };
  return [
    ...(statusAt ? [entry('callback_queued', statusAt, delivery, of)] : []),
    ...attempts.map(({ attempt, at, outcome, httpStatus, durationMs }) =>
      entry('callback_attempted', at, `${delivery} ${attempt}`, {
        ...{ ...of, attempt, outcome },
        ...(httpStatus !== undefined && { http_status: httpStatus }),
        ...(durationMs !== undefined && { duration_ms: durationMs }),
      }),
    ),
    ...(standing.state === 'waiting' && standing.nextAt ? [entry('callback_due', standing.nextAt, delivery, of)] : []),
  ];
}

export const historyOfAttestation = ({ statement, at }: AttestationDocument): HistoryEntry =>
  entry('attested', at, String(statement), { statement });

/** Who noted it stays in the audit trail. */
export const historyOfAudit = ({ _id, at, action, role, participant }: AuditEntry): HistoryEntry =>
  entry('noted', at, _id, {
    action,
    ...(role !== undefined && { role }),
    ...(participant !== undefined && { participant }),
  });

export const historyOfParked = ({ id, since, service, topic, reason }: ParkedPage['parked'][number]): HistoryEntry =>
  entry('parked', new Date(since), id, { service, topic, reason });
