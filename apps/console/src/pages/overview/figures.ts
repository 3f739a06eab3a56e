import type { Answer } from '../../api/answer';

/** What the API has answered. */
export interface Numbers {
  readonly counts: Answer<'/operator/v1/request-counts'> | undefined;
  readonly overview: Answer<'/operator/v1/overview'> | undefined;
}

type Tone = 'good' | 'warning' | 'danger';

/** From which number on it is a warning, and from which a danger; `isLow`: down to which. */
interface Limits {
  readonly warning?: number;
  readonly danger?: number;
  readonly isLow?: true;
}

interface FigureParts {
  /** The list that it counts, or the page that shows where it comes from. */
  readonly to: string;
  /** Null where the roles of the viewer do not reach it, undefined where it is not known. */
  readonly of: (numbers: Numbers) => number | null | undefined;
  readonly limits?: Limits;
}

const PLAIN = { danger: 1 };
const CARE = { warning: 1 };
const OF_CERTIFICATE = { warning: 30, danger: 7, isLow: true } as const;
const OF_OUTBOX = { warning: 60, danger: 600 };

export const PARTS = ['dates', 'requests', 'throughput', 'callbacks', 'service'] as const;
export type PartName = (typeof PARTS)[number];

/** Counts of the API stop there, in these parts of the page; the numbers of the others are exact. */
const MOST_COUNTED = 10_000;
const COUNTED: readonly PartName[] = ['dates', 'requests', 'callbacks'];

/** Whether there may be more than the number says. */
export const isCountedOut = (part: PartName, number: number): boolean =>
  COUNTED.includes(part) && number >= MOST_COUNTED;

/** What concerns no workspace is null without a role in all of them. */
const ofService =
  (read: (service: NonNullable<NonNullable<Numbers['overview']>['service']>) => number | null | undefined) =>
  ({ overview }: Numbers): number | null | undefined =>
    overview && (overview.service === null ? null : read(overview.service));

/** The numbers of each part of the page, the urgent ones first. */
export const FIGURES = {
  dates: [
    { name: 'overdue', to: '/requests?overdue=true', of: ({ counts }) => counts?.overdue, limits: PLAIN },
    {
      name: 'dueWeek',
      to: '/requests?due_within=7d&overdue=false',
      of: ({ counts }) => counts?.due_within_week,
      limits: CARE,
    },
    { name: 'atRisk', to: '/requests?legal_state=at_risk', of: ({ counts }) => counts?.at_risk, limits: CARE },
    { name: 'onTrack', to: '/requests?legal_state=on_track', of: ({ counts }) => counts?.on_track },
  ],
  requests: [
    { name: 'open', to: '/requests?order=due', of: ({ counts }) => counts?.open },
    { name: 'pending', to: '/requests?status=pending', of: ({ counts }) => counts?.pending },
    { name: 'inProgress', to: '/requests?status=in_progress', of: ({ counts }) => counts?.in_progress },
    { name: 'over7', to: '/requests?order=due&older_than=7d', of: ({ counts }) => counts?.open_over_7_days },
    { name: 'over30', to: '/requests?order=due&older_than=30d', of: ({ counts }) => counts?.open_over_30_days },
    { name: 'over60', to: '/requests?order=due&older_than=60d', of: ({ counts }) => counts?.open_over_60_days },
  ],
  throughput: [
    { name: 'receivedDay', to: '/requests?received_within=24h', of: ({ overview }) => overview?.received.day },
    { name: 'endedDay', to: '/requests?ended_within=24h', of: ({ overview }) => overview?.ended.day },
    { name: 'receivedWeek', to: '/requests?received_within=7d', of: ({ overview }) => overview?.received.week },
    { name: 'endedWeek', to: '/requests?ended_within=7d', of: ({ overview }) => overview?.ended.week },
  ],
  callbacks: [
    {
      name: 'callbacksFailing',
      to: '/requests?callbacks=failing',
      of: ({ overview }) => overview?.callbacks_failing,
      limits: CARE,
    },
    {
      name: 'destinationsFailing',
      to: '/destinations?state=failing',
      of: ({ overview }) => overview?.destinations?.failing,
      limits: CARE,
    },
    {
      name: 'destinationsPaused',
      to: '/destinations?state=paused',
      of: ({ overview }) => overview?.destinations?.paused,
      limits: PLAIN,
    },
  ],
  service: [
    {
      name: 'parkedBlocking',
      to: '/parked?kind=not-aside',
      of: ofService(({ parked }) => parked?.blocking),
      limits: PLAIN,
    },
    { name: 'parkedAside', to: '/parked?kind=aside', of: ofService(({ parked }) => parked?.aside), limits: CARE },
    { name: 'lag', to: '/system', of: ofService(({ consumer_lag: lag }) => lag) },
    { name: 'outbox', to: '/system', of: ofService((one) => Math.round(one.oldest_outbox_seconds)), limits: OF_OUTBOX },
    {
      name: 'certificate',
      to: '/system',
      of: ofService(({ first_certificate: first }) => first?.days_left),
      limits: OF_CERTIFICATE,
    },
  ],
} as const satisfies Readonly<Record<PartName, readonly (FigureParts & { readonly name: string })[]>>;

export type FigureName = (typeof FIGURES)[PartName][number]['name'];

export interface Shown extends FigureParts {
  readonly name: FigureName;
}

/** What a number means; nothing for one without limits, or that is not known. */
export function toneOf(number: number | null | undefined, limits: Limits | undefined): Tone | undefined {
  if (number === null || number === undefined || !limits) return undefined;
  const isBeyond = (limit: number | undefined): boolean =>
    limit !== undefined && (limits.isLow ? number <= limit : number >= limit);
  if (isBeyond(limits.danger)) return 'danger';
  return isBeyond(limits.warning) ? 'warning' : 'good';
}
