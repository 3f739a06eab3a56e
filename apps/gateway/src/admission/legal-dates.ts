import { atRiskAt, countedRegulation, type Admission } from '@opendsr-service/contracts';
import type { RequestDocument } from './request.document';

export type LegalDates = Pick<
  RequestDocument,
  'legalSince' | 'legalDueAt' | 'dueBy' | 'atRiskAt' | 'countedBy' | 'workspaceClass'
>;

interface Counted extends Pick<RequestDocument, 'regulation' | 'workspaceClass'> {
  readonly legalSince: Date;
  readonly legalDueAt: Date;
}

/** What an admission holds of its legal date (decision 24). Live and in replay. */
export const legalDates = ({ regulation, legalSince, legalDueAt, workspaceClass }: Counted): LegalDates => ({
  legalSince,
  legalDueAt,
  dueBy: legalDueAt,
  atRiskAt: atRiskAt(legalSince, legalDueAt),
  countedBy: countedRegulation(regulation),
  ...(workspaceClass !== undefined && { workspaceClass }),
});

/** Nothing where the process that admitted it counted no legal date. */
export function legalDatesOf({ legalSince, legalDueAt, ...of }: Admission): LegalDates {
  if (legalSince === undefined || legalDueAt === undefined) return {};
  return legalDates({ ...of, legalSince: new Date(legalSince), legalDueAt: new Date(legalDueAt) });
}

export interface DeadlineExtension {
  readonly at: Date;
  readonly extendedUntil: Date;
  readonly extendedBy: string;
}

export type ExtensionFields = Required<
  Pick<RequestDocument, 'extendedAt' | 'extendedUntil' | 'extendedBy' | 'expectedAt' | 'dueBy'>
> &
  Pick<RequestDocument, 'atRiskAt'>;

/** What an extension changes in an admission, beside its number and the sealed reason. Live and in replay. */
export const extensionFields = (
  { legalSince }: Pick<RequestDocument, 'legalSince'>,
  { at, extendedUntil, extendedBy }: DeadlineExtension,
): ExtensionFields => ({
  extendedAt: at,
  extendedUntil,
  extendedBy,
  expectedAt: extendedUntil,
  dueBy: extendedUntil,
  ...(legalSince && { atRiskAt: atRiskAt(legalSince, extendedUntil) }),
});

interface Planned {
  readonly startAt: Date;
  readonly completionMs: number;
  readonly legalDueAt: Date;
}

/** Never beyond the legal date, unless the request starts after it. */
export function expectedCompletion({ startAt, completionMs, legalDueAt }: Planned): Date {
  const estimate = new Date(startAt.getTime() + completionMs);
  return isBeyondLegalDate({ startAt, legalDueAt }) || estimate <= legalDueAt ? estimate : legalDueAt;
}

export const isBeyondLegalDate = ({ startAt, legalDueAt }: Pick<Planned, 'startAt' | 'legalDueAt'>): boolean =>
  startAt >= legalDueAt;
