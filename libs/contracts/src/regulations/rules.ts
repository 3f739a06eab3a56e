import type { Regulation } from '../vocabulary';

/** A length of time that a law counts by days of the calendar. */
export interface Period {
  readonly count: number;
  readonly unit: 'month' | 'day';
  /** `working-day`: a last day that is a Saturday, a Sunday or a holiday moves to the next working day. */
  readonly endsOn: 'any-day' | 'working-day';
}

/** What a regulation says about time (decision 24). */
interface RegulationRules {
  readonly answer: Period;
  readonly extension: { readonly times: number; readonly by: Period };
  /** By when the data subject must hear of an extension and its reasons. */
  readonly extensionNotice: Period;
}

const MONTH: Period = { count: 1, unit: 'month', endsOn: 'working-day' };
const FORTY_FIVE_DAYS: Period = { count: 45, unit: 'day', endsOn: 'any-day' };

/**
 * `gdpr`: Art. 12(3) GDPR, counted as Regulation (EEC, Euratom) 1182/71 counts. `ccpa`: Cal. Civ. Code § 1798.130(a)(2)(A) and
 * 11 CCR § 7021.
 */
export const REGULATION_RULES: Readonly<Record<Regulation, RegulationRules>> = {
  gdpr: { answer: MONTH, extension: { times: 1, by: { ...MONTH, count: 2 } }, extensionNotice: MONTH },
  ccpa: {
    answer: FORTY_FIVE_DAYS,
    extension: { times: 1, by: FORTY_FIVE_DAYS },
    extensionNotice: FORTY_FIVE_DAYS,
  },
};

/** Under what a request is counted and listed that names no regulation, as those of version 1 (decision 24). */
export const countedRegulation = (regulation: Regulation | undefined): Regulation => regulation ?? 'gdpr';
