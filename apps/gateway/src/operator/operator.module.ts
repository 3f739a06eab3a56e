import type { INestApplication, Provider, Type } from '@nestjs/common';
import type { EdgeAdapter } from '@opendsr-service/edge';
import { Sessions, SignIns } from '@opendsr-service/operator-access';
import { Poller } from '@opendsr-service/service';
import type { RateLimits } from '@opendsr-service/workspaces';
import { extendDeadlineOf } from '../admin/deadlines.store';
import { factsOf } from '../admin/request-facts.store';
import type { Admissions } from '../admission/admissions';
import type { AdmissionsStore } from '../admission/admissions.store';
import type { RequestCallbacks } from '../callbacks/request-callbacks';
import type { LedgerStore } from '../callbacks/ledger.store';
import type { GatewayParts } from '../gateway-parts.config';
import type { GatewayLimits } from '../http/limits/gateway-limits';
import { guardOperator } from './access/guard-operator';
import { SIGN_IN_PARTS } from './access/sign-in-parts';
import { OPERATOR_CLOCK } from './operator-clock';
import { operatorControllers } from './operator-controllers.module';
import { OperatorAuditStore } from '../participants/operator-audit.store';
import { OperatorDecisions } from './decisions/operator-decisions';
import { Waivers } from './decisions/waivers.client';
import { ListedRequestsStore } from './requests/listed-requests.store';
import { OperatorRequests } from './requests/operator-requests';

interface OperatorUses {
  readonly requests: AdmissionsStore;
  readonly ledger: LedgerStore;
  readonly admissions: Admissions;
  readonly callbacks: RequestCallbacks;
}

/** The controllers and providers of the operator's API; none where this process does not serve it. */
export function operatorModule(
  parts: GatewayParts,
  { requests, ledger, admissions, callbacks }: OperatorUses,
): { readonly controllers: readonly Type[]; readonly providers: readonly Provider[] } {
  const { operator, connection, clock, vault, workspaces } = parts;
  const now = () => clock.now().getTime();
  // Made in any case, because tools expect the indexes of every collection.
  const sessions = new Sessions(connection, operator?.sessions ?? { idleMs: 0, longestMs: 0 }, now);
  const signIns = new SignIns(connection, now);
  if (!operator) return { controllers: [], providers: [] };
  const listed = new ListedRequestsStore(connection);
  const waivers = new Waivers(parts.events.publisher, operator.seal);
  const facts = (ws: string, srid: string) => factsOf(connection, ws, srid);
  return {
    controllers: operatorControllers,
    providers: [
      { provide: Sessions, useValue: sessions },
      { provide: SignIns, useValue: signIns },
      { provide: OPERATOR_CLOCK, useValue: clock },
      {
        provide: SIGN_IN_PARTS,
        useValue: { provider: operator.provider, link: operator.link, sessions, signIns, clock },
      },
      {
        provide: OperatorRequests,
        useValue: new OperatorRequests({ requests, listed, ledger, vault, workspaces, clock, facts }),
      },
      {
        provide: OperatorDecisions,
        useValue: new OperatorDecisions({
          ...{ admissions, callbacks, vault, workspaces, clock },
          audit: new OperatorAuditStore(connection),
          extend: (wish, note) => extendDeadlineOf(connection, vault, wish, note),
          waive: (waiver) => waivers.publish(waiver),
        }),
      },
    ],
  };
}

interface Guarded {
  readonly limits: RateLimits;
  readonly byAddress: Pick<GatewayLimits, 'sources' | 'authFailures'>;
}

/** Guards the operator's routes, and removes what has ended. */
export function operatorService(
  app: INestApplication,
  { operator, polls, log }: GatewayParts,
  adapter: EdgeAdapter,
  { limits, byAddress }: Guarded,
): readonly Poller[] {
  if (!operator) return [];
  const sessions = app.get(Sessions);
  const signIns = app.get(SignIns);
  guardOperator(adapter, {
    provider: operator.provider,
    sessions,
    limits: {
      ...{ calls: limits.perMinute('operators', operator.callsPerMinute) },
      ...{ sources: byAddress.sources, authFailures: byAddress.authFailures },
    },
  });
  const run = async (): Promise<number> => {
    await Promise.all([sessions.removeEnded(), signIns.removeEnded()]);
    return 0;
  };
  return [new Poller({ name: 'operator sessions', intervalMs: polls.keysMs, run, log })];
}
