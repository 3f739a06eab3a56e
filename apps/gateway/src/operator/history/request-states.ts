import { notFound } from '@opendsr-service/edge';
import { STATE_SERVICES, type RequestState } from '@opendsr-service/operator-answers';
import type { AdmissionsStore } from '../../admission/admissions.store';
import type { OperatorUpstreams } from '../upstreams/operator-upstreams';

/** What each service holds about a request; null: it takes no part in it, or did not answer in time. */
interface StatesOfServices {
  readonly services: Readonly<Record<string, RequestState | null>>;
  readonly unavailable: readonly string[];
}

/** A request as the services behind the gateway know it, without personal data. */
export class RequestStates {
  constructor(
    private readonly requests: Pick<AdmissionsStore, 'find'>,
    private readonly upstreams: Pick<OperatorUpstreams, 'ask'>,
  ) {}

  /** Throws a 404. */
  async read(ws: string, srid: string): Promise<StatesOfServices> {
    const request = await this.requests.find(ws, srid);
    if (!request) throw notFound();
    const asked = await Promise.all(
      STATE_SERVICES.map(async (service) => {
        const answered = await this.upstreams.ask(service, (answers) => answers.requestState({ service, ws, srid }));
        const state = withoutSeen(answered?.answer ?? null, request.v);
        return { service, state, isAway: answered === undefined };
      }),
    );
    return {
      services: Object.fromEntries(asked.map(({ service, state }) => [service, state])),
      unavailable: asked.filter(({ isAway }) => isAway).map(({ service }) => service),
    };
  }
}

/** An outbox is emptied some time after its events were published (decision 2). Those that the gateway has seen are on the event log. */
function withoutSeen(state: RequestState | null, version: number): RequestState | null {
  if (!state || !('unpublished_events' in state) || typeof state.unpublished_events === 'number') return state;
  return { ...state, unpublished_events: state.unpublished_events.filter((event) => event.version > version) };
}
