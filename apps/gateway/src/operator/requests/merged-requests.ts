import { inPages } from '@opendsr-service/storage';
import type { Place } from '../lists/cursor';
import type { ListedRequest, ListOrder } from './list-query';
import type { Stretch } from './listed-requests.store';
import { isBehind, merged, placeOf } from './request-order';

export type ReadNext = (stretch: Stretch, limit: number) => Promise<readonly ListedRequest[]>;

/** Calls share their connections with everything else that the gateway stores. */
const READ_AT_ONCE = 20;

/** What has been read of one workspace, and is not taken yet. */
interface Part {
  readonly ws: string | undefined;
  waiting: readonly ListedRequest[];
  /** Behind which request it is read next, and how many of them. */
  after: Place | undefined;
  size: number;
  isAtEnd: boolean;
}

interface MergedParts {
  readonly stretch: Omit<Stretch, 'ws'>;
  readonly readNext: ReadNext;
  /** The most that is read of one workspace at once, and of all of them in total. */
  readonly batch: number;
  readonly most: number;
}

/** The requests of several workspaces in one order. Each workspace is read little by little, and no request twice. */
export class MergedRequests {
  private readonly order: ListOrder;
  private readonly workspaces: readonly Part[];
  private left: number;

  constructor(
    workspaces: readonly (string | undefined)[],
    private readonly parts: MergedParts,
  ) {
    const size = Math.ceil(parts.batch / workspaces.length);
    const { order, after } = parts.stretch;
    this.order = order;
    this.workspaces = workspaces.map((ws) => ({ ws, waiting: [], after, size, isAtEnd: false }));
    this.left = parts.most;
  }

  /** Some that come next. None: there are no more. Undefined: there may be more, and enough has been read. */
  async next(): Promise<readonly ListedRequest[] | undefined> {
    const unread = this.workspaces.filter(({ isAtEnd }) => !isAtEnd);
    const few = unread.filter(({ waiting, size }) => waiting.length <= size / 4);
    if (few.length > this.left) return undefined;
    const most = Math.floor(this.left / few.length);
    for (const page of inPages(few, READ_AT_ONCE)) await Promise.all(page.map((part) => this.read(part, most)));
    return merged(this.takenUntil(this.end()), this.order);
  }

  private async read(part: Part, most: number): Promise<void> {
    const limit = Math.min(part.size, most);
    const { ws, after } = part;
    const found = await this.parts.readNext({ ...this.parts.stretch, ws, after }, limit);
    this.left -= found.length;
    part.waiting = [...part.waiting, ...found];
    const last = found.at(-1);
    if (last) part.after = placeOf(last, this.order);
    part.size = Math.min(this.parts.batch, 2 * part.size);
    part.isAtEnd = found.length < limit;
  }

  /** Up to where all have been read. Undefined: to their end. */
  private end(): Place | undefined {
    let end: Place | undefined;
    for (const { isAtEnd, after } of this.workspaces)
      if (!isAtEnd && after && (!end || isBehind(end, after, this.order))) end = after;
    return end;
  }

  private takenUntil(end: Place | undefined): readonly (readonly ListedRequest[])[] {
    return this.workspaces.map((part) => {
      const taken = part.waiting.filter((one) => !end || !isBehind(placeOf(one, this.order), end, this.order));
      part.waiting = part.waiting.slice(taken.length);
      return taken;
    });
  }
}
