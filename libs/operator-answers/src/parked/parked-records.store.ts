import {
  isOfKind,
  ParkedAdmin,
  type KindFilter,
  type ParkedFilter,
  type ParkedHead,
  type RedriveCall,
} from '@opendsr-service/messaging';
import { inPages } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import { databaseOfService, type ServiceName } from '../services';
import { requestOf } from '../records/shown-record';
import { shownKey } from './parked-facts';

/** Which parked records; an absent field matches all. */
export interface WantedRecords {
  /** Only keys of these workspaces. */
  readonly workspaces?: readonly string[] | undefined;
  readonly reason?: string | undefined;
  readonly kind?: KindFilter | undefined;
  /** Only this request of the one workspace. */
  readonly srid?: string | undefined;
  /** As records show it. */
  readonly key?: string | undefined;
}

/** After which id a page begins, and how long it may be. */
interface HeadPlace {
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Records by id, and the id after which the next page begins; undefined: there is none. */
interface HeadPage {
  readonly heads: readonly ParkedHead[];
  readonly next: string | undefined;
}

/** The count of records behind a record stops here. */
export const MOST_BEHIND = 1_000;
/** The most records that one page, or one call of a redrive, reads. */
export const MOST_READ = 1_000;
const PAGE = 200;

/** The parked records of one service (docs/parked.md). `now` returns milliseconds since 1970. */
export class ParkedRecords {
  readonly admin: ParkedAdmin;
  readonly groups: readonly string[];

  constructor(
    readonly service: ServiceName,
    connection: Connection,
    now: () => number,
  ) {
    const { groups } = databaseOfService(service);
    this.admin = new ParkedAdmin(connection, now);
    this.groups = groups;
  }

  /** The next records that are wanted. A page reads at most 1,000 records, so it may be short and still have a next one. */
  async page(wanted: WantedRecords, { after = '', limit }: HeadPlace): Promise<HeadPage> {
    const key = oneKeyOf(wanted);
    const filter = key === undefined ? wanted.kind && { kind: wanted.kind } : { key };
    const heads: ParkedHead[] = [];
    let [last, read] = [after, 0];
    while (heads.length < limit && read < MOST_READ) {
      const found = await this.admin.listAfter(last, PAGE, filter);
      for (const head of found) {
        last = head._id;
        if (isWanted(head, wanted)) heads.push(head);
        if (heads.length === limit) return { heads, next: last };
      }
      read += found.length;
      if (found.length < PAGE) return { heads, next: undefined };
    }
    return { heads, next: last };
  }

  /** What waits behind the record with this id. A page may be short and still have a next one. */
  async pageBehind(id: string, { after = '', limit }: HeadPlace): Promise<HeadPage> {
    const first = await this.admin.findById(id);
    if (!first) return { heads: [], next: undefined };
    const { group, topic, key } = first;
    const waiting = await this.admin.listAfter(after, limit, { groups: [group], kind: 'waiting', key });
    return {
      heads: waiting.filter((head) => head.topic === topic),
      next: waiting.length < limit ? undefined : waiting.at(-1)?._id,
    };
  }

  /** Has one record handled again. A record that waits behind another is not marked: the answer is the other's id. */
  async redrive(head: ParkedHead): Promise<RedriveCall | string> {
    const before = await this.admin.findBlocker(head);
    if (before) return before._id;
    const call = this.admin.startRedrive();
    await call.mark([head]);
    return call;
  }

  /** Has all records of the filter handled again. */
  async redriveAll(filter: Omit<ParkedFilter, 'groups'>): Promise<RedriveCall> {
    const call = this.admin.startRedrive();
    for await (const page of this.admin.listPages({ ...filter, groups: this.groups })) await call.mark(page);
    return call;
  }

  /** Has the next records that are wanted handled again, at most 1,000. */
  async redriveSome(
    wanted: WantedRecords,
    after: string | undefined,
  ): Promise<{ readonly call: RedriveCall; readonly next: string | undefined }> {
    const call = this.admin.startRedrive();
    const { heads, next } = await this.page(wanted, { after, limit: MOST_READ });
    for (const page of inPages(heads, PAGE)) await call.mark(page);
    return { call, next };
  }

  /** What prevents the drop of a record: one before it. Undefined: nothing. */
  async blockerOfDrop(head: ParkedHead): Promise<ParkedHead | undefined> {
    return head.aside ? undefined : this.admin.findBlocker(head);
  }
}

/** The key that all wanted records have; undefined where they may have several, and empty where none can have it. */
function oneKeyOf({ srid, key, workspaces = [] }: WantedRecords): string | undefined {
  const [ws, ...more] = workspaces;
  if (srid !== undefined) return ws === undefined || more.length > 0 ? '' : `${ws}:${srid}`;
  return key !== undefined && requestOf(key) ? key : undefined;
}

const isWanted = ({ key, reason, kind }: ParkedHead, wanted: WantedRecords): boolean =>
  (wanted.kind === undefined || isOfKind(kind, wanted.kind)) &&
  (wanted.reason === undefined || wanted.reason === reason) &&
  (wanted.key === undefined || wanted.key === shownKey(key)) &&
  (wanted.workspaces === undefined || wanted.workspaces.includes(requestOf(key)?.ws ?? ''));
