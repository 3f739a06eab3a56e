import type { Acknowledged, Handled } from './tasks';

export type Hop = 'first' | 'second';

const idOf = ({ key, n }: { readonly key: string; readonly n: number }): string => `${key} ${n}`;

/** Acknowledged and handled records, with losses, order and outages. */
export class Ledger {
  private readonly acknowledged = new Map<string, Acknowledged>();
  private readonly handled: Readonly<Record<Hop, Handled[]>> = { first: [], second: [] };
  private readonly partitions = new Map<string, number>();

  noteAcknowledged(record: Acknowledged): void {
    this.acknowledged.set(idOf(record), record);
  }

  noteHandled(hop: Hop, records: readonly Handled[]): void {
    for (const record of records) {
      this.handled[hop].push(record);
      this.partitions.set(record.key, record.partition);
    }
  }

  get acknowledgedCount(): number {
    return this.acknowledged.size;
  }

  /** Acknowledged records that have not taken effect. */
  lost(hop: Hop): readonly string[] {
    const seen = new Set(this.handled[hop].map(idOf));
    return [...this.acknowledged.keys()].filter((id) => !seen.has(id));
  }

  duplicates(hop: Hop): number {
    return this.handled[hop].length - new Set(this.handled[hop].map(idOf)).size;
  }

  /** Records that took effect for the first time after a later one of their key had. */
  disordered(hop: Hop): readonly string[] {
    const seen = new Set<string>();
    const latest = new Map<string, number>();
    const late: string[] = [];
    for (const record of [...this.handled[hop]].sort((a, b) => a.at - b.at)) {
      if (seen.has(idOf(record))) continue;
      seen.add(idOf(record));
      if (record.n < (latest.get(record.key) ?? -1)) late.push(idOf(record));
      else latest.set(record.key, record.n);
    }
    return late;
  }

  /** When the last of the partitions acknowledged something again that was sent after `since`; undefined while one has not. */
  acknowledgingAgainAt(since: number, partitions: number): number | undefined {
    const records = [...this.acknowledged.values()].filter(({ sentAt }) => sentAt > since);
    return lastFirst(
      records.map(({ key, at }) => ({ partition: this.partitions.get(key), at })),
      partitions,
    );
  }

  /** When the last of the partitions had something take effect again that was sent after `since`; undefined while one has not. */
  consumingAgainAt(hop: Hop, since: number, partitions: number): number | undefined {
    const records = this.handled[hop].filter((record) => (this.acknowledged.get(idOf(record))?.sentAt ?? 0) > since);
    return lastFirst(records, partitions);
  }
}

function lastFirst(
  records: readonly { readonly partition: number | undefined; readonly at: number }[],
  partitions: number,
): number | undefined {
  const first = new Map<number, number>();
  for (const { partition, at } of records) {
    if (partition !== undefined) first.set(partition, Math.min(at, first.get(partition) ?? Infinity));
  }
  return first.size === partitions ? Math.max(...first.values()) : undefined;
}
