import { TOPICS } from '@opendsr-service/contracts';
import type { Facts, FoldContext } from '@opendsr-service/replay';
import { keyFreeSince, keyDueFields, keyDueAt, openDestinationsOf } from '../admission/key-due';
import type { OutboxEntry, RequestDocument } from '../admission/request.document';
import type { FoldedRequest } from './admission-from-log';
import { only, without } from './fields';

type Decisions = Pick<
  RequestDocument,
  'status' | 'seq' | 'startAt' | 'fingerprint' | 'startedAt' | 'completedAt' | 'cancelledAt' | 'extensions'
>;

/** What the log, or a decision that it has not heard of, says of an admission. All else of a document stays as it is. */
const LOG_FIELDS = [
  'status',
  'seq',
  'startAt',
  'fingerprint',
  'startedAt',
  'completedAt',
  'cancelledAt',
  'slot',
  'regulation',
  'extensions',
  'sealed',
  'openDestinations',
  'outbox',
  'outboxAt',
  'outboxSince',
  'tries',
  'keyDueAt',
  'keyDueSince',
  'keyDueBy',
  'keyToken',
  'keyGoneAt',
  'personsAt',
  'personsToken',
] as const satisfies readonly (keyof RequestDocument)[];

const DECISIONS = [
  'status',
  'seq',
  'startAt',
  'fingerprint',
  'startedAt',
  'completedAt',
  'cancelledAt',
  'extensions',
] as const satisfies readonly (keyof Decisions)[];

/** The commands in its outbox that follow the log without a gap. */
function commandsBeyondLog({ outbox }: RequestDocument, seq: number): readonly OutboxEntry[] {
  const later = outbox.filter((entry) => entry.seq > seq);
  return later.every((entry, n) => entry.seq === seq + 1 + n) ? later : [];
}

/** Whether it has gone further than the log and its outbox together. */
export const isAdmissionBeyond = (present: RequestDocument, folded: FoldedRequest): boolean =>
  present.v > folded.v || present.seq > folded.seq + commandsBeyondLog(present, folded.seq).length;

/** Whether the log has heard none of its commands yet. */
export const isUnknownToLog = (present: RequestDocument): boolean =>
  present.v === 0 && commandsBeyondLog(present, 0).length === present.seq;

/** Whether what the document decided stands: the log has not heard of it yet, or demands just that. */
function documentDecides(present: RequestDocument, folded: FoldedRequest): boolean {
  if (present.seq > folded.seq) return true;
  return (
    folded.isOwnDecision === true &&
    present.status === 'completed' &&
    present.outbox.some(({ seq }) => seq === folded.seq)
  );
}

function decisionsOf(
  present: RequestDocument | null,
  folded: FoldedRequest,
): Decisions & Pick<RequestDocument, 'outbox'> {
  const log = { ...(only(folded, DECISIONS) as Decisions), outbox: folded.outbox };
  if (!present || !documentDecides(present, folded)) return log;
  const own = present.outbox.filter(({ seq }) => seq > folded.answered);
  const others = folded.outbox.filter(({ seq }) => !own.some((entry) => entry.seq === seq));
  return { ...(only(present, DECISIONS) as Decisions), outbox: [...others, ...own].sort((a, b) => a.seq - b.seq) };
}

/** A destination that the log no longer speaks of is settled: retries end long before the log forgets. */
function destinationsStillOpen(
  {
    openDestinations,
    completedAt,
    cancelledAt,
  }: Pick<RequestDocument, 'openDestinations' | 'completedAt' | 'cancelledAt'>,
  now: Date,
): readonly string[] {
  const end = completedAt ?? cancelledAt;
  const isForgotten = end !== undefined && end.getTime() + TOPICS.deliveryEvents.retentionMs < now.getTime();
  return isForgotten ? [] : (openDestinations ?? []);
}

type Lifecycle = Pick<RequestDocument, 'status' | 'outbox' | 'completedAt' | 'cancelledAt' | 'openDestinations'>;

/** Whom a request was about is noted in the same database once it has ended: still, or again, for what the log alone brings back. */
function personsFields(
  present: RequestDocument | null,
  { completedAt, cancelledAt }: Lifecycle,
): Pick<RequestDocument, 'personsAt' | 'personsToken'> {
  if (present?.completedAt ?? present?.cancelledAt) return only(present, ['personsAt', 'personsToken']);
  const end = completedAt ?? cancelledAt;
  return end ? { personsAt: end } : {};
}

/** What a document says of its key and of what the key sealed. What is destroyed stays so. */
function keyFields(
  present: RequestDocument | null,
  folded: FoldedRequest,
  life: Lifecycle,
  keyKeepMs: number,
): Partial<RequestDocument> {
  const keyGoneAt = present?.keyGoneAt ?? folded.keyGoneAt;
  if (keyGoneAt) return { keyGoneAt, ...personsFields(present, life) };
  const end = keyFreeSince(life);
  const claimed = present ? only(present, ['keyDueAt', 'keyDueSince', 'keyToken']) : {};
  const by = present?.keyDueBy;
  return {
    ...(folded.sealed && { sealed: folded.sealed }),
    ...(end && { ...keyDueFields(keyDueAt(end, keyKeepMs, by)), ...claimed }),
    ...(by && { keyDueBy: by }),
    ...personsFields(present, life),
  };
}

/** The admission as it has to be: the log's, but for decisions in the outbox that the log has not heard of yet. */
export function mergedAdmission(
  present: RequestDocument | null,
  folded: FoldedRequest,
  { now, keyKeepMs }: FoldContext,
): RequestDocument {
  const decisions = decisionsOf(present, folded);
  const isGone = (present?.keyGoneAt ?? folded.keyGoneAt) !== undefined;
  // A request whose key is gone had ended: nothing is sent for it again, and it keeps nobody from asking for the same.
  const { outbox, ...said } = isGone
    ? { ...(without(decisions, ['startAt', 'fingerprint']) as Decisions), outbox: [] }
    : decisions;
  const openDestinations = destinationsStillOpen({ ...said, ...only(folded, ['openDestinations']) }, now);
  const resend = outbox[0] && {
    outboxAt: present?.outboxAt ?? now,
    outboxSince: new Date(outbox[0].at),
    tries: present?.tries ?? 0,
  };
  return {
    ...(present && without(present, LOG_FIELDS)),
    ...(without(folded, [
      ...DECISIONS,
      'outbox',
      'sealed',
      'keyGoneAt',
      'openDestinations',
      'answered',
      'isOwnDecision',
      'isHeadless',
    ]) as RequestDocument),
    ...said,
    openDestinations,
    outbox,
    ...resend,
    ...keyFields(present, folded, { ...said, outbox, openDestinations }, keyKeepMs),
  };
}

const FACT_FIELDS = [
  'status',
  'seq',
  'v',
  'controllerId',
  'apiVersion',
  'type',
  'regulation',
  'submittedTime',
  'receivedAt',
  'expectedAt',
  'sentId',
  'groupId',
  'slot',
  'fingerprint',
  'kid',
  'sealed',
  'extensions',
  'startAt',
  'startedAt',
  'completedAt',
  'cancelledAt',
] as const;

export function admissionFacts(document: RequestDocument & Pick<FoldedRequest, 'isHeadless'>): Facts | undefined {
  if (document.isHeadless) return undefined;
  return {
    ...only(document, FACT_FIELDS),
    outbox: document.outbox.map(({ seq }) => seq),
    outboxAt: document.outboxAt !== undefined,
    openDestinations: [...openDestinationsOf(document)].sort(),
    // When it is due is a matter of configuration, and of who has claimed it.
    keyDueAt: document.keyDueAt !== undefined,
    keyGoneAt: document.keyGoneAt !== undefined,
  };
}

/** Whether a write lets go of a fingerprint or of a place in a group. */
export const givesFree = (present: RequestDocument, merged: RequestDocument): boolean =>
  (present.fingerprint !== undefined && present.fingerprint !== merged.fingerprint) ||
  (present.slot !== undefined && (present.slot !== merged.slot || present.groupId !== merged.groupId));

/** Where another admission, of a gateway that ran on an older copy, holds the fingerprint or the place, this one goes without. */
export const yielding = (document: RequestDocument, fields: readonly string[]): RequestDocument =>
  without(
    document,
    fields.filter((field) => field === 'fingerprint' || field === 'slot'),
  );
