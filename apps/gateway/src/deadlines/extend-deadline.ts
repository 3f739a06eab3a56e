import { ENDED_STATUSES, extendedDueAt, extensionNoticeDueAt, type LegalCalendar } from '@opendsr-service/contracts';
import type { Vault } from '@opendsr-service/vault';
import type { RequestDocument } from '../admission/request.document';
import { sealExtensionReason } from '../admission/sealing';
import type { DeadlinesStore } from './deadlines.store';

/** Why a legal date is not extended. */
export type ExtensionRefusal =
  | 'unknown'
  | 'ended'
  | 'extended'
  | 'no-legal-date'
  | 'past'
  | 'not-recorded'
  | 'unreadable'
  | 'busy';

/** An operator's wish to extend a legal date. */
export interface ExtensionWish {
  readonly ws: string;
  readonly srid: string;
  readonly reason: string;
  /** A role or a team. */
  readonly by: string;
  readonly at: Date;
  readonly calendar: LegalCalendar;
}

/** What an operator must know of an extension. */
export interface ExtendedDeadline {
  readonly extendedUntil: Date;
  /** By when the data subject must hear of it. */
  readonly noticeDueAt: Date;
}

interface Parts {
  readonly deadlines: Pick<DeadlinesStore, 'find' | 'extend'>;
  readonly vault: Pick<Vault, 'key'>;
  /** Records who extends, before the decision. */
  readonly note: () => Promise<void>;
}

/** A start or a cancel may decide at the same time, each once. */
const TRIES = 3;

type Counted = RequestDocument & Required<Pick<RequestDocument, 'dueBy' | 'legalSince'>>;

const isCounted = (request: RequestDocument): request is Counted =>
  request.dueBy !== undefined && request.legalSince !== undefined;

/** The request, if its legal date may be extended. */
export function extendable(request: RequestDocument | null, at: Date): Counted | ExtensionRefusal {
  if (!request) return 'unknown';
  if (ENDED_STATUSES.includes(request.status)) return 'ended';
  if (request.extendedUntil) return 'extended';
  if (!isCounted(request)) return 'no-legal-date';
  if (at > request.dueBy) return 'past';
  return request.v === 0 ? 'not-recorded' : request;
}

/** Extends the legal date of a request: once, and before it is over (decision 24). The gateways publish the command. */
export async function extendDeadline(
  { deadlines, vault, note }: Parts,
  wish: ExtensionWish,
): Promise<ExtendedDeadline | ExtensionRefusal> {
  const { ws, srid, at, by } = wish;
  let isNoted = false;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const request = extendable(await deadlines.find(ws, srid), at);
    if (typeof request === 'string') return request;
    const extended = datesOf(request, wish);
    const reason = await sealExtensionReason(vault, request, wish.reason);
    if (reason === undefined) return 'unreadable';
    if (!isNoted) await note();
    isNoted = true;
    const extension = { at, extendedUntil: extended.extendedUntil, extendedBy: by, reason };
    if (await deadlines.extend(request, extension)) return extended;
  }
  return 'busy';
}

const datesOf = ({ regulation, legalSince }: Counted, { calendar }: ExtensionWish): ExtendedDeadline => ({
  extendedUntil: extendedDueAt(regulation, legalSince, calendar),
  noticeDueAt: extensionNoticeDueAt(regulation, legalSince, calendar),
});
