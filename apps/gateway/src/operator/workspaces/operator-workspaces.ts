import { forbidden, notFound } from '@opendsr-service/edge';
import type { Operator } from '@opendsr-service/operator-access';
import type { OutsideParticipant, Participants, Workspace, Workspaces } from '@opendsr-service/workspaces';
import { reachOf } from '../access/reach';
import { pageOf, type PageOf } from '../lists/page-of';

/** `last`: the name where the page ended, where there are more. No workspace need have it: roles are given in advance too. */
interface WorkspacesPage {
  readonly items: readonly Workspace[];
  readonly last: string | undefined;
}

interface OperatorWorkspacesParts {
  readonly workspaces: Pick<Workspaces, 'get' | 'list'>;
  readonly participants: Pick<Participants, 'list' | 'listAll'>;
}

/** Workspaces and their participants, those that the roles of the caller reach. */
export class OperatorWorkspaces {
  constructor(private readonly parts: OperatorWorkspacesParts) {}

  async list(operator: Operator, limit: number, after: string | undefined): Promise<WorkspacesPage> {
    const reached = reachOf(operator);
    if (reached === 'all') {
      const { items, last } = pageOf(await this.parts.workspaces.list(after, limit + 1), limit);
      return { items, last: last?.ws };
    }
    const names = pageOf(
      reached.filter((ws) => after === undefined || ws > after),
      limit,
    );
    const known = await Promise.all(names.items.map((ws) => this.parts.workspaces.get(ws)));
    return { items: known.filter((one) => one !== undefined), last: names.last };
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
    if (reachOf(operator) !== 'all') throw forbidden();
    return pageOf(await this.parts.participants.listAll(after, limit + 1), limit);
  }

  /** Throws a 404. */
  async participantsOf(ws: string): Promise<readonly OutsideParticipant[]> {
    await this.read(ws);
    return this.parts.participants.list(ws);
  }
}
