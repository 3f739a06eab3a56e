import type { INestApplication, Provider, Type } from '@nestjs/common';
import type { EncodedMessage } from '@opendsr-service/contracts';
import type { EdgeAdapter } from '@opendsr-service/edge';
import { Sessions, SignIns } from '@opendsr-service/operator-access';
import { Poller, replicationOf, type ServiceParts } from '@opendsr-service/service';
import type { RateLimits } from '@opendsr-service/workspaces';
import type { Admissions } from '../admission/admissions';
import type { AdmissionsStore } from '../admission/admissions.store';
import { publishAcknowledged } from '../admission/publish-acknowledged';
import { groupSizeOf } from '../admission/requests-collection.store';
import type { AuditStore } from '../audit/audit.store';
import type { RequestCallbacks } from '../callbacks/request-callbacks';
import type { LedgerStore } from '../callbacks/ledger.store';
import { DeadlinesStore } from '../deadlines/deadlines.store';
import { extendDeadline } from '../deadlines/extend-deadline';
import type { openTransparencyLog } from '../evidence/transparency-log.wiring';
import { witnessFactsOf } from '../evidence/witness-facts.store';
import type { GatewayParts } from '../gateway-parts.config';
import type { GatewayLimits } from '../http/limits/gateway-limits';
import { AuditList } from './audit/audit-list';
import { ChangeFeed } from './changes/change-feed';
import { ChangeStreams, streamsMetric } from './changes/change-streams';
import { guardOperator } from './access/guard-operator';
import { SIGN_IN_PARTS, type SignInParts } from './access/sign-in.controller';
import { OPERATOR_CLOCK } from './operator-clock';
import { serveConsole } from './console/serve-console.wiring';
import { operatorControllers } from './operator-controllers.wiring';
import { waive } from '../participants/waive';
import { DecisionNotes } from './decisions/decision-notes';
import { OperatorDecisions } from './decisions/operator-decisions';
import { OperatorDestinations } from './destinations/operator-destinations';
import { LogEntries } from './history/log-entries';
import { RequestHistory } from './history/request-history';
import { RequestStates } from './history/request-states';
import { OperatorOverview } from './overview/operator-overview';
import { OperatorParked } from './parked/operator-parked';
import { RequestRecords } from './records/request-records';
import { ListedRequestsStore } from './requests/listed-requests.store';
import { OperatorRequests } from './requests/operator-requests';
import { identitiesOf } from './reveals/identities.store';
import { OperatorReveals } from './reveals/operator-reveals';
import { RevealsStore } from './reveals/reveals.store';
import { OperatorSystem } from './system/operator-system';
import { OperatorTransparency } from './system/operator-transparency';
import { OperatorKeys } from './workspaces/operator-keys';
import { OperatorWorkspaces } from './workspaces/operator-workspaces';
import { WORKSPACE_LIMITS } from './workspaces/operator-workspaces.controller';
import { OperatorUpstreams } from './upstreams/operator-upstreams';

interface OperatorUses {
  readonly requests: AdmissionsStore;
  readonly ledger: LedgerStore;
  readonly admissions: Admissions;
  readonly callbacks: RequestCallbacks;
  readonly log: ReturnType<typeof openTransparencyLog>;
  readonly feed: ChangeFeed;
  readonly audit: AuditStore;
}

/** The controllers and providers of the operator's API; none where this process does not serve it. */
export function operatorModule(
  parts: GatewayParts,
  { requests, ledger, admissions, callbacks, log, feed, audit }: OperatorUses,
): { readonly controllers: readonly Type[]; readonly providers: readonly Provider[] } {
  const { operator, connection, clock, vault, workspaces, values } = parts;
  const now = () => clock.now().getTime();
  // Made in any case, because tools expect the indexes of every collection.
  const { OPERATOR_SESSION_IDLE_MS: idleMs, OPERATOR_SESSION_LONGEST_MS: longestMs } = values;
  const sessions = new Sessions(connection, { idleMs, longestMs }, now);
  const signIns = new SignIns(connection, now);
  const reveals = new RevealsStore(connection, now);
  if (!operator) return { controllers: [], providers: [] };
  const listed = new ListedRequestsStore(connection);
  const deadlines = new DeadlinesStore(connection);
  const notes = new DecisionNotes({ audit, vault, clock });
  const upstreams = new OperatorUpstreams(parts.upstreams, parts.log);
  const { events } = parts;
  const publish = (topic: string, message: EncodedMessage) => publishAcknowledged(events.publisher, topic, message);
  const verifiers = parts.witnesses.map(({ verifier }) => verifier);
  const injectedByClass: readonly object[] = [
    sessions,
    signIns,
    new OperatorRequests({
      ...{ requests, listed, ledger, vault, workspaces, clock },
      groupSize: (request) => groupSizeOf(connection, request),
    }),
    new OperatorDecisions({
      ...{ admissions, callbacks, notes, workspaces, clock },
      extend: (wish, note) => extendDeadline({ deadlines, vault, note }, wish),
      waive: (request, waiver, note) => waive({ seal: operator.seal, publish, note }, request, waiver),
    }),
    new RequestHistory({ requests, ledger, audit, attestations: log.attestations, upstreams }),
    new RequestRecords({ requests, events }),
    new RequestStates(requests, upstreams),
    new LogEntries({ requests, audit, leaves: log.leaves, published: log.published }),
    new OperatorOverview({ listed, upstreams, clock }),
    new OperatorDestinations(upstreams),
    new OperatorParked({ upstreams, audit, leafKey: vault.leafKey, clock, publish }),
    new OperatorWorkspaces({ workspaces, participants: parts.participants }),
    new OperatorKeys({ credentials: workspaces.credentials, audit, clock }),
    new OperatorTransparency({
      checkpoint: () => log.published.checkpoint(),
      oldestUncovered: () => log.published.oldestUncovered(),
      witnesses: () => witnessFactsOf(connection, verifiers),
      verifierKey: parts.logSigner.verifierKey,
    }),
    new OperatorSystem(upstreams, events.topics, replicationOf(values)),
    new AuditList({ audit, requests, vault }),
    feed,
    new ChangeStreams(feed, clock),
    reveals,
    new OperatorReveals({
      ...{ requests, reveals, notes, vault },
      publisher: parts.events.publisher,
      identities: (ws, srid) => identitiesOf(connection, vault, { ws, srid }),
      needsApproval: values.OPERATOR_REVEAL_APPROVAL,
    }),
  ];
  const signInParts: SignInParts = {
    ...{ provider: operator.provider, link: operator.link, sessions, signIns, clock },
    hasConsole: operator.console !== undefined,
  };
  return {
    controllers: operatorControllers,
    providers: [
      ...injectedByClass.map((one) => ({ provide: one.constructor, useValue: one })),
      { provide: OPERATOR_CLOCK, useValue: clock },
      { provide: SIGN_IN_PARTS, useValue: signInParts },
      { provide: WORKSPACE_LIMITS, useValue: workspaceLimits(values) },
    ],
  };
}

/** The limits of the calls of a workspace, by the names of their settings. */
const workspaceLimits = (values: GatewayParts['values']): Readonly<Record<string, number>> => ({
  RATE_LIMIT_CALLS_PER_MINUTE: values.RATE_LIMIT_CALLS_PER_MINUTE,
  RATE_LIMIT_CREATES_PER_DAY: values.RATE_LIMIT_CREATES_PER_DAY,
});

interface Guarded {
  readonly limits: RateLimits;
  readonly byAddress: Pick<GatewayLimits, 'sources' | 'authFailures'>;
}

type OperatorService = Required<Pick<ServiceParts, 'pollers' | 'leaving' | 'metrics'>>;

/** How soon operators hear of changes. */
const CHANGES_MS = 1_000;

/** Guards the operator's routes, serves the console, removes what has ended, and tells what changes. */
export function operatorService(
  app: INestApplication,
  parts: GatewayParts,
  adapter: EdgeAdapter,
  { limits, byAddress }: Guarded,
): OperatorService {
  const { operator, values, log } = parts;
  if (!operator) return { pollers: [], leaving: [], metrics: [streamsMetric(() => 0)] };
  const sessions = app.get(Sessions);
  const ending = [sessions, app.get(SignIns), app.get(RevealsStore)];
  guardOperator(adapter, {
    provider: operator.provider,
    sessions,
    limits: {
      calls: limits.perMinute('operators', values.RATE_LIMIT_OPERATOR_CALLS_PER_MINUTE),
      reveals: limits.perDay('operator_reveals', values.RATE_LIMIT_OPERATOR_REVEALS_PER_DAY),
      ...{ sources: byAddress.sources, authFailures: byAddress.authFailures },
    },
  });
  serveConsole(adapter, { ...parts, operator }, byAddress.sources);
  const run = async (): Promise<number> => {
    await Promise.all(ending.map((one) => one.removeEnded()));
    return 0;
  };
  const [feed, streams] = [app.get(ChangeFeed), app.get(ChangeStreams)];
  const watch = async (): Promise<number> => {
    // First: it needs no database.
    streams.tick();
    await feed.runOnce();
    await streams.endWithSessions(sessions);
    return 0;
  };
  const watching = { name: 'operator changes', intervalMs: CHANGES_MS, longestIdleMs: CHANGES_MS, run: watch, log };
  return {
    pollers: [
      new Poller({ name: 'operator sessions', intervalMs: values.SWEEP_POLL_MS, run, log }),
      new Poller(watching),
    ],
    metrics: [streamsMetric(() => streams.count)],
    leaving: [{ name: 'streams of changes', run: () => Promise.resolve(streams.endAll()) }],
  };
}
