import type { LogEntry } from './read-log';

/** What everyone can know from the entries of a log alone. */
interface LogTotals {
  /** How many entries of each kind there are. */
  readonly kinds: Readonly<Record<string, number>>;
  /** How many receipts have their legal date in each month (UTC). Those without a date are not among them. */
  readonly receiptsByDueMonth: Readonly<Record<string, number>>;
  /** Receipts whose legal date is over, whatever became of their requests. */
  readonly receiptsPastDue: number;
  /**
   * So many requests have not ended, and so many of them are past their legal date, at least. No entry says of which request
   * it is: each attestation counts as the end of another request of its workspace, each extension as that of an overdue one.
   */
  readonly openAtLeast: number;
  readonly overdueAtLeast: number;
}

interface OfWorkspace {
  receipts: number;
  pastDue: number;
  attestations: number;
  extensions: number;
}

/** Counts the entries of a log, as it is at this time. */
export function logTotals(entries: readonly LogEntry[], now: Date): LogTotals {
  const due = entries.flatMap(({ kind, dueAt }) => (kind === 'receipt' && dueAt !== undefined ? [dueAt] : []));
  const workspaces = byWorkspace(entries, now);
  return {
    kinds: countsOf(entries.map(({ kind }) => kind)),
    receiptsByDueMonth: countsOf(due.map((time) => time.slice(0, 'yyyy-mm'.length))),
    receiptsPastDue: due.filter((time) => isPast(time, now)).length,
    openAtLeast: sumOf(workspaces, ({ receipts, attestations }) => receipts - attestations),
    overdueAtLeast: sumOf(workspaces, ({ pastDue, attestations, extensions }) => pastDue - attestations - extensions),
  };
}

/** The totals as lines for people. */
export const totalLines = ({ receiptsPastDue, openAtLeast, overdueAtLeast, ...totals }: LogTotals): string[] => [
  `leaves: ${listed(totals.kinds)}`,
  `receipts by the month of their legal date: ${listed(totals.receiptsByDueMonth)}`,
  `${receiptsPastDue} receipts past their legal date`,
  `at least ${openAtLeast} requests open, at least ${overdueAtLeast} of them past their legal date`,
];

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';

function byWorkspace(entries: readonly LogEntry[], now: Date): readonly OfWorkspace[] {
  const workspaces = new Map<string | undefined, OfWorkspace>();
  for (const { kind, dueAt, workspace } of entries) {
    const of = workspaces.get(workspace) ?? { receipts: 0, pastDue: 0, attestations: 0, extensions: 0 };
    workspaces.set(workspace, of);
    if (kind === 'receipt') of.receipts++;
    if (kind === 'receipt' && dueAt !== undefined && isPast(dueAt, now)) of.pastDue++;
    if (kind === 'attestation') of.attestations++;
    if (kind === 'extension') of.extensions++;
  }
  return [...workspaces.values()];
}

const isPast = (time: string, now: Date): boolean => Date.parse(time) < now.getTime();

function countsOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names.toSorted()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** The sum over those where it is above nothing. */
const sumOf = (workspaces: readonly OfWorkspace[], count: (of: OfWorkspace) => number): number =>
  workspaces.reduce((total, one) => total + Math.max(0, count(one)), 0);
