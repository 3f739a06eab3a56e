import { forbidden, notFound } from '@opendsr-service/edge';
import type { Operator } from '@opendsr-service/operator-access';
import type { OutsideParticipant, Participants, Workspace, Workspaces } from '@opendsr-service/workspaces';
import { reachOf } from '../access/reach';
import { pageOf, type PageOf } from '../lists/page-of';

interface OperatorWorkspacesParts {
  readonly workspaces: Pick<Workspaces, 'get' | 'list'>;
  readonly participants: Pick<Participants, 'list' | 'listAll'>;
}

/** Workspaces and their participants, those that the roles of the caller reach. */
export class OperatorWorkspaces {
  constructor(private readonly parts: OperatorWorkspacesParts) {}

  async list(operator: Operator, limit: number, after: string | undefined): Promise<PageOf<Workspace>> {
    const reached = reachOf(operator, undefined);
    if (reached === 'all') return pageOf(await this.parts.workspaces.list(after, limit + 1), limit);
    const names = reached.filter((ws) => after === undefined || ws > after).slice(0, limit + 1);
    const known = await Promise.all(names.map((ws) => this.parts.workspaces.get(ws)));
    const more = names.length > limit ? names[limit - 1] : undefined;
    const items = known.slice(0, limit).filter((one) => one !== undefined);
    return { items, last: more === undefined ? undefined : items.at(-1) };
  }

  /** Throws a 404. */
  async read(ws: string): Promise<Workspace> {
    const known = await this.parts.workspaces.get(ws);
    if (!known) throw notFound();
    return known;
  }

  /** Throws a 403 unless the caller's roles reach all workspaces: otherwise ask for those of one. */
  async allParticipants(
    operator: Operator,
    limit: number,
    after: Pick<OutsideParticipant, 'ws' | 'name'> | undefined,
  ): Promise<PageOf<OutsideParticipant>> {
    if (reachOf(operator, undefined) !== 'all') throw forbidden();
    return pageOf(await this.parts.participants.listAll(after, limit + 1), limit);
  }

  /** Throws a 404. */
  async participantsOf(ws: string): Promise<readonly OutsideParticipant[]> {
    await this.read(ws);
    return this.parts.participants.list(ws);
  }
}
