import type { Operator } from '@opendsr-service/operator-access';
import type { ProcessAnswer } from '@opendsr-service/operator-answers';
import type { Shape } from '@opendsr-service/contracts';
import type { Clock } from '@opendsr-service/service';
import { reachOf, type Reach } from '../access/reach';
import { SharedAnswers } from '../lists/shared-answers';
import type { ListedRequestsStore } from '../requests/listed-requests.store';
import { MOST_COUNTED } from '../requests/request-schemas';
import type { OperatorUpstreams } from '../upstreams/operator-upstreams';
import type { OPERATOR_OVERVIEW } from './overview-schemas';
import { lastDays, Throughput, type Dated } from './throughput';

interface OperatorOverviewParts {
  readonly listed: ListedRequestsStore;
  readonly upstreams: Pick<OperatorUpstreams, 'ask' | 'processes'>;
  readonly clock: Clock;
}

type Overview = Shape<typeof OPERATOR_OVERVIEW>;
type Undated = Omit<Overview, 'read_time'>;

const DAY_MS = 86_400_000;
const DISPATCHER = 'callback-dispatcher';

/** How the service does. Every number is that of an index, or of a process that knows it. */
export class OperatorOverview {
  private readonly throughput: Throughput;
  private readonly answers: SharedAnswers<Undated>;

  constructor(private readonly parts: OperatorOverviewParts) {
    this.throughput = new Throughput(parts.listed);
    this.answers = new SharedAnswers(parts.clock);
  }

  /** At most four seconds old. What concerns no workspace is shown to those alone whose roles reach all of them. */
  async read(operator: Operator, workspace: string | undefined): Promise<Overview> {
    const reached = reachOf(operator, workspace);
    const { answer, at } = await this.answers.get(reached, () => this.readNow(reached));
    return { read_time: at.toISOString(), ...answer };
  }

  private async readNow(reached: Reach): Promise<Undated> {
    const [requests, destinations, services] = await Promise.all([
      this.requestsIn(reached),
      this.destinationsIn(reached),
      reached === 'all' ? this.parts.upstreams.processes() : undefined,
    ]);
    const away = services?.filter(({ state }) => state === 'unavailable').map(({ service }) => service) ?? [];
    return {
      ...requests,
      destinations: destinations ?? null,
      service: services ? serviceAnswer(services) : null,
      unavailable: [...new Set([...away, ...(destinations ? [] : [DISPATCHER])])],
    };
  }

  private async requestsIn(
    reached: Reach,
  ): Promise<Pick<Overview, 'received' | 'ended' | 'days' | 'callbacks_failing'>> {
    const now = this.parts.clock.now();
    const workspaces = workspacesOf(reached);
    const throughput = this.throughput.at(now);
    const over = async (spanMs: number, fields: Fields) =>
      totalOf(await Promise.all(dated(workspaces, fields).map((of) => throughput.count(of, spanMs))));
    const perDay = (fields: Fields) => Promise.all(dated(workspaces, fields).map((of) => throughput.perDay(of)));
    const [receivedDay, receivedWeek, endedDay, endedWeek, received, ended, failing] = await Promise.all([
      over(DAY_MS, RECEIVED),
      over(7 * DAY_MS, RECEIVED),
      over(DAY_MS, ENDED),
      over(7 * DAY_MS, ENDED),
      perDay(RECEIVED),
      perDay(ENDED),
      Promise.all(workspaces.map((ws) => this.parts.listed.countFailing(ws, MOST_COUNTED))),
    ]);
    return {
      received: { day: receivedDay, week: receivedWeek },
      ended: { day: endedDay, week: endedWeek },
      days: daysOf(received, ended, now),
      callbacks_failing: Math.min(MOST_COUNTED, totalOf(failing)),
    };
  }

  private async destinationsIn(reached: Reach): Promise<NonNullable<Overview['destinations']> | undefined> {
    const workspaces = reached === 'all' ? undefined : reached;
    const asked = await this.parts.upstreams.ask(DISPATCHER, (answers) => answers.destinationCounts({ workspaces }));
    return asked?.answer;
  }
}

type Workspaces = readonly (string | undefined)[];
type Fields = readonly Dated['field'][];

const RECEIVED: Fields = ['receivedAt'];
const ENDED: Fields = ['completedAt', 'cancelledAt'];

const workspacesOf = (reached: Reach): Workspaces => (reached === 'all' ? [undefined] : reached);

const dated = (workspaces: Workspaces, fields: Fields): readonly Dated[] =>
  workspaces.flatMap((ws) => fields.map((field) => ({ ws, field })));

type PerDay = readonly (readonly number[])[];

function daysOf(received: PerDay, ended: PerDay, now: Date): Overview['days'] {
  const of = (counts: PerDay, at: number) => totalOf(counts.map((days) => days[at] ?? 0));
  return lastDays(now).map((day, at) => ({
    day: day.toISOString().slice(0, 'yyyy-mm-dd'.length),
    received: of(received, at),
    ended: of(ended, at),
  }));
}

const totalOf = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);

/** Of all services that answered. */
function serviceAnswer(services: readonly ProcessAnswer[]): NonNullable<Overview['service']> {
  const certificates = services.flatMap((one) => one.certificates).toSorted((a, b) => a.days_left - b.days_left);
  const lags = services.flatMap(({ consumer_groups: groups }) =>
    groups.map(({ topics }) => topics.reduce((sum, { lag }) => sum + lag, 0)),
  );
  return {
    parked: parkedOf(services),
    consumer_lag: Math.max(0, ...lags),
    oldest_outbox_seconds: Math.max(
      0,
      ...services.flatMap(({ outboxes }) => outboxes.map((one) => one.oldest_age_seconds)),
    ),
    first_certificate: certificates[0] ?? null,
  };
}

/** Null until all of those that answered have counted. Of one that did not answer the version is unknown. */
function parkedOf(services: readonly ProcessAnswer[]): NonNullable<Overview['service']>['parked'] {
  const answered = services.filter(({ version }) => version !== null);
  const parked = answered.flatMap((one) => one.parked ?? []);
  if (parked.length === 0 || parked.length < answered.length) return null;
  return {
    blocking: totalOf(parked.map(({ blocking }) => blocking)),
    aside: totalOf(parked.map(({ aside }) => aside)),
  };
}
