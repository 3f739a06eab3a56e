import { TOPICS } from '@opendsr-service/contracts';
import type { Facts, FoldContext } from '@opendsr-service/replay';
import { keyFreeSince, keyDueFields, keyDueAt } from '../admission/key-due';
import type { OutboxEntry, RequestDocument } from '../admission/request.document';
import { commandOf } from '../admission/commands';
import type { ExtensionFields } from '../admission/legal-dates';
import { foldExtension, type FoldedRequest } from './admission-from-log';
import { only, without } from '../admission/fields';

const EXTENSION_FIELDS = [
  'expectedAt',
  'dueBy',
  'atRiskAt',
  'extendedAt',
  'extendedUntil',
  'extendedBy',
] as const satisfies readonly (keyof ExtensionFields)[];

/** What a decision sets. */
const DECISIONS = [
  'status',
  'seq',
  'startAt',
  'fingerprint',
  'startedAt',
  'completedAt',
  'cancelledAt',
  'extensions',
  ...EXTENSION_FIELDS,
] as const satisfies readonly (keyof RequestDocument)[];

type Decisions = Pick<RequestDocument, (typeof DECISIONS)[number]>;

/** Fields that the log or a decision beyond it sets. All others stay as they are. */
const LOG_FIELDS = [
  ...DECISIONS,
  'slot',
  'regulation',
  'reports',
  'history',
  'attestAt',
  'legalSince',
  'legalDueAt',
  'countedBy',
  'workspaceClass',
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

/** Outbox commands that continue the log without a gap. */
function commandsBeyondLog({ outbox }: RequestDocument, seq: number): readonly OutboxEntry[] {
  const later = outbox.filter((entry) => entry.seq > seq);
  return later.every((entry, n) => entry.seq === seq + 1 + n) ? later : [];
}

export const isAdmissionBeyond = (present: RequestDocument, folded: FoldedRequest): boolean =>
  present.v > folded.v || present.seq > folded.seq + commandsBeyondLog(present, folded.seq).length;

export const isUnknownToLog = (present: RequestDocument): boolean =>
  present.v === 0 && commandsBeyondLog(present, 0).length === present.seq;

/** The log does not hold the decision yet, or requires it. */
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

/** Retries end before the log expires: a destination that the log no longer names has settled. */
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
  return isForgotten ? [] : openDestinations;
}

type Lifecycle = Pick<
  RequestDocument,
  'status' | 'outbox' | 'completedAt' | 'cancelledAt' | 'openDestinations' | 'extendedUntil'
>;

/** Persons are recorded in the same database, so only a restored document needs it again. */
function personsFields(
  present: RequestDocument | null,
  { completedAt, cancelledAt }: Lifecycle,
): Pick<RequestDocument, 'personsAt' | 'personsToken'> {
  if (present?.completedAt ?? present?.cancelledAt) return only(present, ['personsAt', 'personsToken']);
  const end = completedAt ?? cancelledAt;
  return end ? { personsAt: end } : {};
}

/** An attestation is stored in the same database or comes back from the log, so making it again finds it. */
function attestFields(
  present: RequestDocument | null,
  { history, completedAt, cancelledAt }: RequestDocument,
): Pick<RequestDocument, 'attestAt'> {
  if (present?.history !== undefined) return only(present, ['attestAt']);
  const end = completedAt ?? cancelledAt;
  return history !== undefined && end ? { attestAt: end } : {};
}

/** The reason of an extension that the log does not hold yet stays. */
function sealedFields(
  present: RequestDocument | null,
  { sealed }: FoldedRequest,
  { extendedUntil }: Pick<RequestDocument, 'extendedUntil'>,
): Pick<RequestDocument, 'sealed'> {
  if (!sealed) return {};
  const extensionReason = sealed.extensionReason ?? (extendedUntil && present?.sealed?.extensionReason);
  return { sealed: { ...sealed, ...(extensionReason !== undefined && { extensionReason }) } };
}

/** A destroyed key stays destroyed. */
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
    ...sealedFields(present, folded, life),
    ...(end && { ...keyDueFields(keyDueAt(end, keyKeepMs, by)), ...claimed }),
    ...(by && { keyDueBy: by }),
    ...personsFields(present, life),
  };
}

/** An extension that only the document knows was decided before a completion that the log requires. */
function withOwnExtension(present: RequestDocument | null, folded: FoldedRequest): FoldedRequest {
  const entry = present?.outbox.find(({ type }) => type === 'ExtendDeadline');
  if (!present || !entry) return folded;
  const command = commandOf(present, entry);
  return command.type === 'ExtendDeadline' ? foldExtension(folded, command) : folded;
}

/** The state of the log, and decisions in the outbox that the log does not hold yet. */
export function mergedAdmission(
  present: RequestDocument | null,
  log: FoldedRequest,
  { now, keyKeepMs }: FoldContext,
): RequestDocument {
  const folded = withOwnExtension(present, log);
  const decisions = decisionsOf(present, folded);
  const isGone = (present?.keyGoneAt ?? folded.keyGoneAt) !== undefined;
  // Without its key a request had ended: it sends nothing, and blocks no new request.
  const { outbox, ...said } = isGone
    ? { ...(without(decisions, ['startAt', 'fingerprint']) as Decisions), outbox: [] }
    : decisions;
  const openDestinations = destinationsStillOpen({ ...said, openDestinations: folded.openDestinations }, now);
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
    ...attestFields(present, folded),
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
  'legalSince',
  'legalDueAt',
  'countedBy',
  'workspaceClass',
  ...EXTENSION_FIELDS,
  'sentId',
  'receipt',
  'groupId',
  'slot',
  'fingerprint',
  'kid',
  'sealed',
  'extensions',
  'reports',
  'history',
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
    openDestinations: [...document.openDestinations].sort(),
    // The time depends on configuration and claims.
    keyDueAt: document.keyDueAt !== undefined,
    keyGoneAt: document.keyGoneAt !== undefined,
  };
}

/** Whether the write frees a fingerprint or a slot. */
export const givesFree = (present: RequestDocument, merged: RequestDocument): boolean =>
  (present.fingerprint !== undefined && present.fingerprint !== merged.fingerprint) ||
  (present.slot !== undefined && (present.slot !== merged.slot || present.groupId !== merged.groupId));

/** Drops a fingerprint or slot that another admission holds. */
export const yielding = (document: RequestDocument, fields: readonly string[]): RequestDocument =>
  without(
    document,
    fields.filter((field) => field === 'fingerprint' || field === 'slot'),
  );
