import { randomUUID, type KeyObject } from 'node:crypto';
import { TOPICS, type EncodedMessage } from '@opendsr-service/contracts';
import { ApiError, badRequest, conflict, invalid, notFound } from '@opendsr-service/edge';
import { isOfKind, type KindFilter } from '@opendsr-service/messaging';
import { roleIn, workspacesFor, type Operator, type Permission, type Role } from '@opendsr-service/operator-access';
import {
  idOfPath,
  SERVICE_NAMES,
  shownId,
  type ParkedDetail,
  type ParkedDrop,
  type ParkedPage,
  type ParkedRecord,
  type ParkedRedrive,
  type Refused,
  type ServiceName,
} from '@opendsr-service/operator-answers';
import type { Clock } from '@opendsr-service/service';
import { auditedLeaf } from '../../evidence/audited-leaves';
import type { ServiceAction } from '../../audit/audit-entry';
import type { AuditStore } from '../../audit/audit.store';
import { reachOf, roleEverywhere } from '../access/reach';
import type { OperatorUpstreams } from '../upstreams/operator-upstreams';
import { parkedCursor, type ParkedQuery } from './parked-query';

interface OperatorParkedParts {
  readonly upstreams: OperatorUpstreams;
  readonly audit: Pick<AuditStore, 'add'>;
  /** Resolves once the event log has acknowledged it. */
  readonly publish: (topic: string, message: EncodedMessage) => Promise<void>;
  readonly leafKey: KeyObject;
  readonly clock: Clock;
}

/** Who changes something, and why. The reason is kept in clear: it names no person. */
export interface Wish {
  readonly operator: Operator;
  readonly reason: string;
  /** Id of the HTTP request. */
  readonly requestId: string;
}

/** Which records of a service, and behind which of them it goes on. */
export interface ManyWish extends Wish {
  readonly service: ServiceName;
  readonly workspace: string | undefined;
  readonly srid: string | undefined;
  readonly parkedReason: string | undefined;
  readonly kind: KindFilter | undefined;
  readonly key: string | undefined;
  readonly cursor: string | undefined;
}

/** What became of the records of one call. */
interface DroppedMany {
  readonly dropped: number;
  readonly left: number;
  readonly next_cursor: string | null;
}

type ParkedList = ParkedPage & { readonly unavailable: readonly string[] };

/** Each has an entry of the audit trail and a leaf of the transparency log before it is dropped. */
export const MOST_DROPPED = 100;

const NONE: ParkedPage = { parked: [], next_cursor: null };

/** The parked records of all services. The audit trail records each change before it is done. */
export class OperatorParked {
  constructor(private readonly parts: OperatorParkedParts) {}

  /** Service by service. One that does not answer is left out. */
  async list(operator: Operator, query: ParkedQuery): Promise<ParkedList> {
    const reached = reachOf(operator, query.workspace);
    const workspaces = reached === 'all' ? undefined : reached;
    const wanted = { workspaces, reason: query.reason, kind: query.kind, key: query.key };
    const parked: ParkedRecord[] = [];
    const unavailable: string[] = [];
    for (const service of servicesFrom(query)) {
      const limit = query.limit - parked.length;
      if (limit <= 0) return { parked, next_cursor: parkedCursor({ service, after: undefined }), unavailable };
      const after = query.after?.service === service ? query.after.after : undefined;
      const asked = await this.parts.upstreams.ask(service, (answers) =>
        answers.parked({ ...wanted, service, after, limit }),
      );
      if (!asked) unavailable.push(service);
      const { parked: found, next_cursor: next } = asked?.answer ?? NONE;
      parked.push(...found);
      if (next !== null) return { parked, next_cursor: parkedCursor({ service, after: next }), unavailable };
    }
    return { parked, next_cursor: null, unavailable };
  }

  /** Throws a 404 for a record that the roles of the caller do not reach. */
  async read({ grants }: Operator, service: ServiceName, id: string): Promise<ParkedDetail> {
    const found = await this.parts.upstreams.demand(service, (answers) => answers.parkedRecord({ service, id }));
    const reached = workspacesFor(grants, 'read');
    if (!found || (reached !== 'all' && !reached.includes(found.workspace ?? ''))) throw notFound();
    return found;
  }

  /** `record`: as it was just read. Throws a 409 where it waits behind another. */
  async redrive(wish: Wish, service: ServiceName, record: ParkedDetail): Promise<ParkedRedrive> {
    if (record.blocked_by !== null) throw blocked();
    await this.note(wish, record.workspace, {
      ...requestOf(record),
      ...{ action: 'parked-redrive-asked', service, record: shownId(idOfPath(record.id)) },
    });
    return answered(
      await this.parts.upstreams.demand(service, (answers) => answers.redriveRecord({ service, id: record.id })),
    );
  }

  async redriveMany(wish: ManyWish): Promise<ParkedRedrive> {
    const { service, workspace, srid } = wish;
    const question = questionOf(wish);
    await this.note(wish, workspace ?? null, {
      ...{ ws: workspace ?? '', srid: srid ?? '', action: 'parked-redrive-asked', service },
    });
    return this.parts.upstreams.demand(service, (answers) => answers.redriveRecords(question));
  }

  /** As `dsr parked drop` does: the transparency log has a leaf of the wish before the drop. `record`: as it was just read. */
  async drop(wish: Wish, service: ServiceName, record: ParkedDetail): Promise<ParkedDrop> {
    if (record.blocked_by !== null && record.kind !== 'aside') throw blocked();
    return this.giveUp(wish, service, record);
  }

  /**
   * Each of the next records as if it were dropped alone, with those before it in the log that are meant too: it would be
   * refused alone. Where those that wait behind a record are meant, they are dropped before it, because the service would
   * handle them once it is gone. Those that wait behind a record that stays are left, and those that are being handled. After
   * a failure the next call goes on at the record that failed: what was dropped stays so, and its caller must know. Throws
   * the failure of the first one, and a 400 where all records of a service would be meant.
   */
  async dropMany(wish: ManyWish): Promise<DroppedMany> {
    const question = questionOfDrop(wish);
    roleFor(wish.operator, 'repair', wish.workspace ?? null);
    const page = await this.parts.upstreams.demand(wish.service, (answers) => answers.parked(question));
    const dropped = new Set<string>();
    let [left, last] = [0, undefined as string | undefined];
    for (const { id } of page.parked) {
      // A beginning of an id sorts before it.
      const here = () => ({ dropped: dropped.size, left, next_cursor: last ?? id.slice(0, -1) });
      try {
        const became = dropped.has(id) ? 'dropped' : await this.tryToDrop(wish, id, dropped);
        if (became === 'full') return here();
        if (became === 'left') left += 1;
      } catch (error) {
        if (last === undefined && dropped.size === 0) throw error;
        return here();
      }
      last = id;
    }
    return { dropped: dropped.size, left, next_cursor: page.next_cursor };
  }

  /** Adds to `dropped` what it drops. `full`: this call has dropped as many as it may. */
  private async tryToDrop(wish: ManyWish, id: string, dropped: Set<string>): Promise<'dropped' | 'left' | 'full'> {
    const read = (one: string) => this.read(wish.operator, wish.service, one);
    try {
      while (dropped.size < MOST_DROPPED) {
        const record = await read(id);
        const first = record.blocked_by === null || record.kind === 'aside' ? record : await read(record.blocked_by);
        if (!isMeant(first, wish)) return 'left';
        await this.dropWithFollowers(wish, first, dropped);
        if (dropped.has(id)) return 'dropped';
      }
      return 'full';
    } catch (error) {
      // It waits, it is being handled, or it is gone.
      if (!hasStatus(error, 409) && !hasStatus(error, 404)) throw error;
      return dropped.has(id) ? 'dropped' : 'left';
    }
  }

  /** Until the call has dropped as many as it may. */
  private async dropWithFollowers(wish: ManyWish, first: ParkedDetail, dropped: Set<string>): Promise<void> {
    for await (const follower of this.meantFollowers(wish, first)) {
      if (dropped.size >= MOST_DROPPED) return;
      if (await this.giveUpIfThere(wish, follower, first.id)) dropped.add(follower.id);
    }
    if (dropped.size >= MOST_DROPPED) return;
    await this.drop(wish, wish.service, first);
    dropped.add(first.id);
  }

  /** What waits behind a record that is meant: all of its key, unless a reason or a kind without it is named. */
  private async *meantFollowers(
    { service, parkedReason, kind = 'waiting' }: ManyWish,
    { id, behind }: ParkedDetail,
  ): AsyncGenerator<ParkedRecord> {
    if (parkedReason !== undefined || !isOfKind('waiting', kind) || behind === 0) return;
    let after: string | undefined;
    do {
      const question = { service, behind: id, after, limit: MOST_DROPPED };
      const page = await this.parts.upstreams.demand(service, (answers) => answers.parked(question));
      yield* page.parked;
      after = page.next_cursor ?? undefined;
    } while (after !== undefined);
  }

  /** False: it is gone already. */
  private async giveUpIfThere(wish: ManyWish, record: ParkedRecord, behind: string): Promise<boolean> {
    try {
      await this.giveUp(wish, wish.service, record, behind);
      return true;
    } catch (error) {
      if (hasStatus(error, 404)) return false;
      throw error;
    }
  }

  /** `behind`: it is dropped although it waits behind this one. */
  private async giveUp(wish: Wish, service: ServiceName, record: ParkedRecord, behind?: string): Promise<ParkedDrop> {
    const [action, shown] = ['parked-drop-asked' as const, shownId(idOfPath(record.id))];
    const { id: entryId, entry } = await this.note(wish, record.workspace, {
      ...{ ...requestOf(record), action, service, record: shown },
    });
    const leaf = auditedLeaf(entryId, { ...entry, action, record: shown }, this.parts.leafKey);
    await this.parts.publish(TOPICS.evidenceLeaves.name, leaf);
    return answered(
      await this.parts.upstreams.demand(service, (answers) => answers.dropRecord({ service, id: record.id, behind })),
    );
  }

  private async note(
    { operator, reason: because, requestId }: Wish,
    workspace: string | null,
    what: Pick<ServiceAction, 'ws' | 'srid' | 'action' | 'service' | 'record'>,
  ): Promise<{ readonly id: string; readonly entry: ServiceAction }> {
    const role = roleFor(operator, 'repair', workspace);
    const [id, at] = [randomUUID(), this.parts.clock.now()];
    const entry = { ...what, by: operator.subject, role, because, at, requestId };
    await this.parts.audit.add(id, entry);
    return { id, entry };
  }
}

const hasStatus = (error: unknown, status: number): boolean => error instanceof ApiError && error.status === status;

/** The services that a page is about, from that of the cursor on. */
function servicesFrom({ service, after }: ParkedQuery): readonly ServiceName[] {
  const all = service ? [service] : SERVICE_NAMES;
  return after ? all.slice(Math.max(0, all.indexOf(after.service))) : all;
}

/** What a service is asked of many records. Throws a 400 for a request of no workspace. */
function questionOf({ service, workspace, srid, parkedReason, kind, key, cursor }: ManyWish) {
  if (srid !== undefined && workspace === undefined)
    throw badRequest([invalid('subject_request_id needs a workspace.')]);
  return {
    ...{ service, reason: parkedReason, kind, srid, key, after: cursor },
    workspaces: workspace === undefined ? undefined : [workspace],
  };
}

function questionOfDrop(wish: ManyWish) {
  const { workspace, parkedReason, key } = wish;
  if (workspace === undefined && parkedReason === undefined && key === undefined)
    throw badRequest([invalid('one of workspace, parked_reason and key must be given.')]);
  return { ...questionOf(wish), limit: MOST_DROPPED };
}

/** Whether a record with the key of one that is meant is meant as well. */
const isMeant = ({ reason, kind }: ParkedRecord, { parkedReason = reason, kind: meant = kind }: ManyWish): boolean =>
  reason === parkedReason && isOfKind(kind, meant);

const requestOf = ({ workspace, subject_request_id: srid }: ParkedRecord) => ({
  ws: workspace ?? '',
  srid: srid ?? '',
});

/** What belongs to no workspace needs a role in all of them. */
function roleFor(operator: Operator, permission: Permission, workspace: string | null): Role {
  const role = workspace === null ? undefined : roleIn(operator.grants, permission, workspace);
  return role ?? roleEverywhere(operator, permission);
}

const blocked = (): Error => conflict('It waits behind another record: handle that one first.');

function answered<A extends object>(answer: A | Refused | null): A {
  if (answer === null) throw notFound();
  if (!('refused' in answer)) return answer;
  throw answer.refused === 'blocked' ? blocked() : conflict('It is being handled again: try again later.');
}
