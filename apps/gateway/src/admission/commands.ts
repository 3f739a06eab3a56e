import { messageId, type Admission, type RequestCommand, type StartRequest } from '@opendsr-service/contracts';
import { without } from './fields';
import type { LegalDates } from './legal-dates';
import type { OutboxEntry, RequestDocument } from './request.document';

type Addressed = Pick<RequestDocument, 'ws' | 'srid'>;

/** The id is the same however often the entry is built. */
const entry = (
  to: Addressed,
  { seq, type, at, data }: Pick<OutboxEntry, 'seq' | 'type' | 'data'> & { readonly at: Date },
): OutboxEntry => ({
  seq,
  id: messageId(to.ws, to.srid, 'command', seq),
  type,
  at: at.toISOString(),
  data,
});

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

/** The start and the fingerprint leave the admission before the command is answered. */
export const submitEntry = (
  to: Addressed,
  { startAt, fingerprint }: Pick<Admission, 'startAt' | 'fingerprint'>,
  at: Date,
): OutboxEntry => entry(to, { seq: 1, type: 'SubmitRequest', at, data: { startAt, fingerprint } });

type Decided = Pick<OutboxEntry, 'seq'> & { readonly at: Date };

export const cancelEntry = (to: Addressed, { at, seq }: Decided): OutboxEntry =>
  entry(to, { seq, type: 'CancelRequest', at, data: {} });

export const startEntry = (
  to: Addressed,
  { participants }: Pick<StartRequest, 'participants'>,
  { at, seq }: Decided,
): OutboxEntry => entry(to, { seq, type: 'StartRequest', at, data: { ...(participants && { participants }) } });

export const completeEntry = (to: Addressed, { at, seq }: Decided): OutboxEntry =>
  entry(to, { seq, type: 'CompleteRequest', at, data: {} });

export const extendEntry = (to: Addressed, { at, seq }: Decided): OutboxEntry =>
  entry(to, { seq, type: 'ExtendDeadline', at, data: {} });

/** The entry of a command that the log holds. */
export function entryOf(command: RequestCommand): OutboxEntry {
  const at = new Date(command.at);
  const { seq } = command;
  switch (command.type) {
    case 'SubmitRequest':
      return submitEntry(command, command.request, at);
    case 'StartRequest':
      return startEntry(command, command, { at, seq });
    case 'CancelRequest':
      return cancelEntry(command, { at, seq });
    case 'CompleteRequest':
      return completeEntry(command, { at, seq });
    case 'ExtendDeadline':
      return extendEntry(command, { at, seq });
  }
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
