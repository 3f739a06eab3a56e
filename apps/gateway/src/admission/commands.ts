import { messageId, type Admission, type RequestCommand, type StartRequest } from '@opendsr-service/contracts';
import { without } from './fields';
import type { LegalDates } from './legal-dates';
import type { OutboxEntry, RequestDocument } from './request.document';

interface Decided extends Pick<OutboxEntry, 'seq' | 'type'> {
  readonly at: Date;
  /** The start and the fingerprint leave the admission before its command is answered. */
  readonly data?: Pick<Admission, 'startAt' | 'fingerprint'> | Pick<StartRequest, 'participants'>;
}

/** The id is the same however often the entry is built. */
export const outboxEntry = (
  { ws, srid }: Pick<RequestDocument, 'ws' | 'srid'>,
  { seq, type, at, data = {} }: Decided,
): OutboxEntry => ({ seq, id: messageId(ws, srid, 'command', seq), type, at: at.toISOString(), data });

export type NewRequest = Pick<
  RequestDocument,
  | '_id'
  | 'ws'
  | 'srid'
  | 'sentId'
  | 'controllerId'
  | 'apiVersion'
  | 'type'
  | 'regulation'
  | 'submittedTime'
  | 'receivedAt'
  | 'expectedAt'
  | keyof LegalDates
  | 'groupId'
  | 'slot'
  | 'receipt'
  | 'kid'
> &
  Required<Pick<RequestDocument, 'startAt' | 'fingerprint' | 'sealed'>>;

/** The entry of a command that the log holds. */
export const entryOf = (command: RequestCommand): OutboxEntry =>
  outboxEntry(command, {
    ...{ seq: command.seq, type: command.type, at: new Date(command.at) },
    data: dataOf(command),
  });

function dataOf(command: RequestCommand): NonNullable<Decided['data']> {
  if (command.type === 'SubmitRequest') {
    const { startAt, fingerprint } = command.request;
    return { startAt, fingerprint };
  }
  return command.type === 'StartRequest' && command.participants ? { participants: command.participants } : {};
}

/** The command of an entry. What the admission holds as well, such as what is sealed, comes from there. */
export function commandOf(request: RequestDocument, { data, ...head }: OutboxEntry): RequestCommand {
  const { ws, srid } = request;
  switch (head.type) {
    case 'SubmitRequest':
      return { ...head, ws, srid, request: { ...admissionOf(request), ...data } } as RequestCommand;
    case 'StartRequest': {
      const { type, kid } = request;
      return {
        ...head,
        ws,
        srid,
        work: { type, kid, identities: sealedOf(request).identities },
        ...data,
      } as RequestCommand;
    }
    case 'ExtendDeadline':
      return { ...head, ws, srid, ...extensionOf(request) } as RequestCommand;
    default:
      return { ...head, ws, srid } as RequestCommand;
  }
}

/** The whole admission, so that a replay of the log can restore it (decision 3). */
const admissionOf = (request: RequestDocument): Omit<Admission, 'startAt' | 'fingerprint'> => ({
  controllerId: request.controllerId,
  apiVersion: request.apiVersion,
  type: request.type,
  ...(request.regulation && { regulation: request.regulation }),
  submittedTime: request.submittedTime.toISOString(),
  receivedAt: request.receivedAt.toISOString(),
  expectedAt: request.expectedAt.toISOString(),
  ...(request.legalSince && { legalSince: request.legalSince.toISOString() }),
  ...(request.legalDueAt && { legalDueAt: request.legalDueAt.toISOString() }),
  ...(request.workspaceClass !== undefined && { workspaceClass: request.workspaceClass }),
  ...(request.sentId && { sentId: request.sentId }),
  groupId: request.groupId,
  ...(request.slot !== undefined && { slot: request.slot }),
  kid: request.kid,
  ...(request.receipt && { receipt: request.receipt }),
  ...without(sealedOf(request), ['extensionReason']),
});

const extensionOf = (request: RequestDocument) => ({
  extendedUntil: request.extendedUntil?.toISOString(),
  extendedBy: request.extendedBy,
  reason: sealedOf(request).extensionReason,
});

/** A key is destroyed only once the outbox is empty. */
function sealedOf({ sealed }: RequestDocument): NonNullable<RequestDocument['sealed']> {
  if (!sealed) throw new Error('an admission without its key has commands in its outbox');
  return sealed;
}
