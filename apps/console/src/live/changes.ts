import type { components } from '../api/operator';

/** A request that changed. */
export interface Changed {
  readonly workspace: string;
  readonly subject_request_id: string;
}

interface ChangeMessage {
  readonly requests: readonly Changed[];
  /** Whether others changed too that are not named. */
  readonly more: boolean;
}

type Summary = components['schemas']['OperatorRequest'];

/** Reads a message of the stream; undefined for anything else. */
export function readChange(text: string): ChangeMessage | undefined {
  try {
    const { requests, more } = JSON.parse(text) as Partial<ChangeMessage>;
    return Array.isArray(requests) ? { requests, more: more === true } : undefined;
  } catch {
    return undefined;
  }
}

export const keyOfChanged = ({ workspace, subject_request_id: id }: Changed): string =>
  `${workspace}:${id.toLowerCase()}`;

/** When something is read again: some ticks after each change, and no more often, however much changes. */
export class Recount {
  private ticksLeft = 0;
  private changedSince = false;

  /** `ticks` last longer than the API shares a count between operators. */
  constructor(private readonly ticks: number) {}

  /** Something changed. */
  note(): void {
    if (this.ticksLeft === 0) this.ticksLeft = this.ticks;
    else this.changedSince = true;
  }

  /** Whether to read now. What changed shortly before a reading may be missing in it, so another one follows. */
  tick(): boolean {
    if (this.ticksLeft === 0) return false;
    this.ticksLeft -= 1;
    if (this.ticksLeft > 0) return false;
    this.ticksLeft = this.changedSince ? this.ticks : 0;
    this.changedSince = false;
    return true;
  }
}

/** What is read again now. */
interface Due {
  /** What is shown of these requests. */
  readonly requests: readonly Changed[];
  readonly counts: boolean;
  /** What is shown of any request: others changed that were not named. */
  readonly others: boolean;
}

/** Gathers messages, and says at each tick what is read again. An id counts once. */
export class Gathered {
  private readonly named = new Map<string, Changed>();
  private hasMore = false;
  private readonly counts: Recount;
  private readonly others: Recount;

  /** `ticks` as of a `Recount`. */
  constructor(ticks: number) {
    this.counts = new Recount(ticks);
    this.others = new Recount(ticks);
  }

  add({ requests, more }: ChangeMessage): void {
    for (const request of requests) this.named.set(keyOfChanged(request), request);
    this.hasMore ||= more;
  }

  tick(): Due {
    const requests = [...this.named.values()];
    this.named.clear();
    const due = { requests, counts: this.counts.tick(), others: this.others.tick() };
    if (requests.length > 0 || this.hasMore) this.counts.note();
    if (this.hasMore) this.others.note();
    this.hasMore = false;
    return due;
  }
}

/** The pages of a list with newer rows in the place of those that they replace. Pages without one stay the same objects. */
export const withNewer = <Page extends { readonly rows: readonly Summary[] }>(
  pages: readonly Page[],
  newer: ReadonlyMap<string, Summary>,
): Page[] =>
  pages.map((page) =>
    page.rows.some((row) => newer.has(keyOfChanged(row)))
      ? { ...page, rows: page.rows.map((row) => newer.get(keyOfChanged(row)) ?? row) }
      : page,
  );
