import { notFound } from '@opendsr-service/edge';
import type { Operator } from '@opendsr-service/operator-access';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { Workspaces } from '@opendsr-service/workspaces';
import type { AdmissionsStore } from '../../admission/admissions.store';
import { OPEN_STATUSES } from '../../admission/request.document';
import { groupIndex } from '../../admission/sealing';
import type { LedgerEntry } from '../../callbacks/ledger-entry';
import type { LedgerStore } from '../../callbacks/ledger.store';
import { reachOf, type Reach } from '../access/reach';
import { SharedAnswers } from '../lists/shared-answers';
import type { ListedRequestsStore } from './listed-requests.store';
import type { ListedRequest, ListQuery } from './list-query';
import { MOST_COUNTED } from './most-counted';
import { fits, readPage, type Page } from './read-page';
import type { RequestFacts, RequestStory } from './request-story';

export interface OperatorRequestsParts {
  readonly requests: Pick<AdmissionsStore, 'find' | 'findGroup'>;
  readonly listed: ListedRequestsStore;
  readonly ledger: LedgerStore;
  readonly vault: Vault;
  readonly workspaces: Pick<Workspaces, 'get' | 'list'>;
  readonly clock: Clock;
  /** What tools know of a request as well. */
  readonly facts: (ws: string, srid: string) => Promise<RequestFacts>;
}

const DAY_MS = 86_400_000;

/** How many requests have not ended. */
export interface RequestCounts {
  readonly open: number;
  readonly pending: number;
  readonly inProgress: number;
  readonly onTrack: number;
  /** Not overdue yet. */
  readonly atRisk: number;
  readonly overdue: number;
  readonly dueWithinWeek: number;
  /** By age. */
  readonly over7Days: number;
  readonly over30Days: number;
  readonly over60Days: number;
}

type OldCounts = Pick<RequestCounts, 'over7Days' | 'over30Days' | 'over60Days'>;

/** Requests as operators see them: those of the workspaces that their roles reach, without personal data. */
export class OperatorRequests {
  private readonly counts: SharedAnswers<RequestCounts>;

  constructor(private readonly parts: OperatorRequestsParts) {
    this.counts = new SharedAnswers(parts.clock);
  }

  async list(operator: Operator, query: ListQuery): Promise<Page> {
    const reached = reachOf(operator, query.workspace);
    if (query.id !== undefined) return only(query, await this.byId(reached, query.id));
    if (query.group !== undefined) return only(query, await this.byGroup(query.workspace ?? '', query.group));
    const named = query.controller === undefined ? reached : await this.ofController(reached, query.controller);
    const { listed } = this.parts;
    return readPage(named === 'all' ? [undefined] : named, query, (stretch, limit) => listed.next(stretch, limit));
  }

  /** At most four seconds old. */
  async count(operator: Operator, workspace: string | undefined): Promise<RequestCounts> {
    const reached = reachOf(operator, workspace);
    return this.counts.get(reached, () => this.countNow(reached));
  }

  /** Throws a 404. */
  async read(ws: string, srid: string): Promise<RequestStory> {
    const { requests, vault } = this.parts;
    const request = await requests.find(ws, srid);
    if (!request) throw notFound();
    const facts = await this.parts.facts(ws, srid);
    const isAlive = request.sealed !== undefined && (await vault.key(ws, request.kid)) !== undefined;
    return { request, facts, key: isAlive ? 'alive' : request.keyGoneAt ? 'destroyed' : 'lost' };
  }

  /** Throws a 404. */
  async callbacks(ws: string, srid: string): Promise<readonly LedgerEntry[]> {
    if (!(await this.parts.requests.find(ws, srid))) throw notFound();
    return this.parts.ledger.listByRequest(ws, srid);
  }

  private async countNow(reached: Reach): Promise<RequestCounts> {
    const now = this.parts.clock.now();
    const counts = await Promise.all(
      (reached === 'all' ? [undefined] : reached).map(async (ws) => ({
        ...(await this.countIn(ws, now)),
        ...(await this.countOld(ws, now)),
      })),
    );
    const sum = (of: keyof RequestCounts) => Math.min(MOST_COUNTED, totalOf(counts.map((one) => one[of])));
    return {
      ...{ open: sum('open'), pending: sum('pending'), inProgress: sum('inProgress') },
      ...{ onTrack: sum('onTrack'), atRisk: sum('atRisk'), overdue: sum('overdue') },
      ...{ dueWithinWeek: sum('dueWithinWeek'), over7Days: sum('over7Days') },
      ...{ over30Days: sum('over30Days'), over60Days: sum('over60Days') },
    };
  }

  /** All that is at risk or overdue is counted beyond the limit by what the difference takes away again. */
  private async countIn(ws: string | undefined, now: Date): Promise<Omit<RequestCounts, keyof OldCounts>> {
    const weekOn = new Date(now.getTime() + 7 * DAY_MS);
    const { listed } = this.parts;
    const [overdue, dueWithinWeek] = await Promise.all([
      listed.countDue(ws, { before: now }, MOST_COUNTED),
      listed.countDue(ws, { from: now, before: weekOn }, MOST_COUNTED),
    ]);
    const byStatus = (more: { readonly lateBy?: Date }, limit: number) =>
      Promise.all(OPEN_STATUSES.map((status) => listed.countOpen(ws, { status, ...more }, limit)));
    const late = totalOf(await byStatus({ lateBy: now }, MOST_COUNTED + overdue));
    const [pending = 0, inProgress = 0] = await byStatus({}, MOST_COUNTED + late);
    const open = pending + inProgress;
    return { open, pending, inProgress, onTrack: open - late, atRisk: late - overdue, overdue, dueWithinWeek };
  }

  private async countOld(ws: string | undefined, now: Date): Promise<OldCounts> {
    const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
    const of = async (received: { readonly from?: Date; readonly before: Date }) => {
      const counts = OPEN_STATUSES.map((status) => this.parts.listed.countOpen(ws, { status, received }, MOST_COUNTED));
      return totalOf(await Promise.all(counts));
    };
    // So none is read twice.
    const [to30, to60, over60Days] = await Promise.all([
      of({ from: ago(30), before: ago(7) }),
      of({ from: ago(60), before: ago(30) }),
      of({ before: ago(60) }),
    ]);
    return { over7Days: to30 + to60 + over60Days, over30Days: to60 + over60Days, over60Days };
  }

  private async byId(reached: Reach, srid: string): Promise<readonly ListedRequest[]> {
    const workspaces = reached === 'all' ? await this.allWorkspaces() : reached;
    const found = await Promise.all(workspaces.map((ws) => this.parts.requests.find(ws, srid)));
    return found.filter((request) => request !== null);
  }

  private async byGroup(ws: string, name: string): Promise<readonly ListedRequest[]> {
    const { vault, workspaces, requests } = this.parts;
    if (!(await workspaces.get(ws))) return [];
    return requests.findGroup(ws, groupIndex(await vault.index(ws), name));
  }

  private async ofController(reached: Reach, controllerId: string): Promise<readonly string[]> {
    const known = await this.pagesOfWorkspaces((one) => one.controllerId === controllerId);
    return known.filter((ws) => reached === 'all' || reached.includes(ws));
  }

  private allWorkspaces(): Promise<readonly string[]> {
    return this.pagesOfWorkspaces(() => true);
  }

  private async pagesOfWorkspaces(isWanted: (one: { readonly controllerId: string }) => boolean): Promise<string[]> {
    const wanted: string[] = [];
    for (let page = await this.parts.workspaces.list(); page.length > 0;) {
      wanted.push(...page.filter(isWanted).map(({ ws }) => ws));
      page = await this.parts.workspaces.list(page.at(-1)?.ws);
    }
    return wanted;
  }
}

const totalOf = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);

/** All requests of a look-up that fit the other filters, without a further page. */
function only(query: ListQuery, found: readonly ListedRequest[]): Page {
  const requests = found.filter((request) => fits(query, request));
  return { requests: requests.toSorted((a, b) => b.receivedAt.getTime() - a.receivedAt.getTime()), next: undefined };
}
