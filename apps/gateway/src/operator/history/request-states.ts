import { notFound } from '@opendsr-service/edge';
import { STATE_SERVICES, type RequestState } from '@opendsr-service/operator-answers';
import type { AdmissionsStore } from '../../admission/admissions.store';
import type { OperatorUpstreams } from '../upstreams/operator-upstreams';

/** What each service holds about a request; null: it takes no part in it, or did not answer in time. */
export interface StatesOfServices {
  readonly services: Readonly<Record<string, RequestState | null>>;
  readonly unavailable: readonly string[];
}

/** A request as the services behind the gateway know it, without personal data. */
export class RequestStates {
  constructor(
    private readonly requests: Pick<AdmissionsStore, 'find'>,
    private readonly upstreams: OperatorUpstreams,
  ) {}

  /** Throws a 404. */
  async read(ws: string, srid: string): Promise<StatesOfServices> {
    if (!(await this.requests.find(ws, srid))) throw notFound();
    const asked = await Promise.all(
      STATE_SERVICES.map(async (service) => {
        const answered = await this.upstreams.ask(service, (answers) => answers.requestState({ service, ws, srid }));
        return { service, state: answered?.answer ?? null, isAway: answered === undefined };
      }),
    );
    return {
      services: Object.fromEntries(asked.map(({ service, state }) => [service, state])),
      unavailable: asked.filter(({ isAway }) => isAway).map(({ service }) => service),
    };
  }
}
