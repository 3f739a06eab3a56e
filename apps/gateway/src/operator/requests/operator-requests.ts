import type { Shape } from '@opendsr-service/contracts';
import { notFound } from '@opendsr-service/edge';
import type { Operator } from '@opendsr-service/operator-access';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { Workspaces } from '@opendsr-service/workspaces';
import type { AdmissionsStore } from '../../admission/admissions.store';
import type { RequestDocument } from '../../admission/request.document';
import { groupIndex } from '../../admission/sealing';
import type { LedgerEntry } from '../../callbacks/ledger-entry';
import type { LedgerStore } from '../../callbacks/ledger.store';
import { reachOf, type Reach } from '../access/reach';
import { pageOf } from '../lists/page-of';
import { SharedAnswers } from '../lists/shared-answers';
import { countRequests, type RequestCounts } from './count-requests';
import type { ListedRequestsStore } from './listed-requests.store';
import type { ListedRequest, ListQuery } from './list-query';
import { fits, readPage, type Page } from './read-page';
import { behind, placeOf } from './request-order';
import type { OPERATOR_REQUEST_COUNTS } from './request-schemas';

interface OperatorRequestsParts {
  readonly requests: Pick<AdmissionsStore, 'find' | 'findGroup'>;
  readonly listed: ListedRequestsStore;
  readonly ledger: LedgerStore;
  readonly vault: Vault;
  readonly workspaces: Pick<Workspaces, 'get' | 'list'>;
  readonly clock: Clock;
  /** How many requests the group of a request has. Undefined: it has no group. */
  readonly groupSize: (request: RequestDocument) => Promise<number | undefined>;
}

/** One request with what is known of it, without personal data. */
export interface RequestStory {
  readonly request: RequestDocument;
  /** How many requests its group has. Undefined: it has no group. */
  readonly groupSize: number | undefined;
  /** `lost`: it does not exist, and the gateway has not destroyed it. */
  readonly key: 'alive' | 'destroyed' | 'lost';
}

/** Requests as operators see them: those of the workspaces that their roles reach, without personal data. */
export class OperatorRequests {
  private readonly counts: SharedAnswers<RequestCounts>;

  constructor(private readonly parts: OperatorRequestsParts) {
    this.counts = new SharedAnswers(parts.clock);
  }

  async list(operator: Operator, query: ListQuery): Promise<Page> {
    const reached = reachOf(operator, query.workspace);
    if (query.group !== undefined) return only(query, await this.byGroup(query.workspace ?? '', query.group));
    if (query.id !== undefined) return only(query, await this.byId(reached, query.id));
    const named = query.controller === undefined ? reached : await this.ofController(reached, query.controller);
    const { listed } = this.parts;
    return readPage(named === 'all' ? [undefined] : named, query, (stretch, limit) => listed.next(stretch, limit));
  }

  /** At most four seconds old. */
  async count(operator: Operator, workspace: string | undefined): Promise<Shape<typeof OPERATOR_REQUEST_COUNTS>> {
    const reached = reachOf(operator, workspace);
    const { listed, clock } = this.parts;
    const { answer, at } = await this.counts.get(reached, () =>
      countRequests(listed, reached === 'all' ? [undefined] : reached, clock.now()),
    );
    return { counted_time: at.toISOString(), ...answer };
  }

  /** Throws a 404. */
  async read(ws: string, srid: string): Promise<RequestStory> {
    const { requests, vault } = this.parts;
    const request = await requests.find(ws, srid);
    if (!request) throw notFound();
    const groupSize = await this.parts.groupSize(request);
    const isAlive = request.sealed !== undefined && (await vault.key(ws, request.kid)) !== undefined;
    return { request, groupSize, key: isAlive ? 'alive' : request.keyGoneAt ? 'destroyed' : 'lost' };
  }

  /** Throws a 404. */
  async callbacks(ws: string, srid: string): Promise<readonly LedgerEntry[]> {
    if (!(await this.parts.requests.find(ws, srid))) throw notFound();
    return this.parts.ledger.listByRequest(ws, srid);
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

/** A page of a look-up: of all that it found, those that fit the other filters. */
function only(query: ListQuery, found: readonly ListedRequest[]): Page {
  const fitting = found.filter((request) => fits(query, request));
  const { items, last } = pageOf(behind(query.after, fitting, query.order), query.limit);
  return { requests: items, next: last && placeOf(last, query.order) };
}
