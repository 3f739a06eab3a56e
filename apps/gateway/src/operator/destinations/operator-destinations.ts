import { notFound } from '@opendsr-service/edge';
import type { Operator } from '@opendsr-service/operator-access';
import type { DestinationDetail, DestinationPage } from '@opendsr-service/operator-answers';
import { reachOf } from '../access/reach';
import { textCursor } from '../lists/cursor';
import type { OperatorUpstreams } from '../upstreams/operator-upstreams';
import { DESTINATIONS, type DestinationQuery } from './destination-query';

const SERVICE = 'callback-dispatcher';

export type Destinations = DestinationPage & { readonly unavailable: readonly string[] };

/** The hosts that receive callbacks, as the callback-dispatcher knows them. */
export class OperatorDestinations {
  constructor(private readonly upstreams: OperatorUpstreams) {}

  async list(operator: Operator, { workspace, state, limit, after }: DestinationQuery): Promise<Destinations> {
    const reached = reachOf(operator, workspace);
    const workspaces = reached === 'all' ? undefined : reached;
    const asked = await this.upstreams.ask(SERVICE, (answers) =>
      answers.destinations({ workspaces, state, limit, after }),
    );
    if (!asked) return { destinations: [], next_cursor: null, unavailable: [SERVICE] };
    const { destinations, next_cursor: next } = asked.answer;
    return { destinations, next_cursor: next === null ? null : textCursor(DESTINATIONS, next), unavailable: [] };
  }

  /** Throws a 404, or a 503 while the callback-dispatcher is away. */
  async read(ws: string, host: string): Promise<DestinationDetail> {
    const found = await this.upstreams.demand(SERVICE, (answers) => answers.destination({ ws, host }));
    if (!found) throw notFound();
    return found;
  }
}
