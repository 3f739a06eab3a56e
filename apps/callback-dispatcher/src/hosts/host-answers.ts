import {
  MOST_HOSTS,
  MOST_SHOWN,
  MOST_WAITING,
  type DestinationAnswers,
  type DestinationCounts,
  type DestinationCountsQuestion,
  type DestinationDetail,
  type DestinationPage,
  type DestinationsQuestion,
  type HostQuestion,
  type HostState,
  timeOf,
} from '@opendsr-service/operator-answers';
import type { HostBacklog, WaitingDestination } from './host-backlog.store';
import type { HostDocument, ReceivingHosts } from './receiving-hosts.store';

type HostAnswer = DestinationPage['destinations'][number];

/** Hosts as operators see them. */
export class HostAnswers implements DestinationAnswers {
  constructor(
    private readonly hosts: ReceivingHosts,
    private readonly backlog: HostBacklog,
  ) {}

  async destinations(question: DestinationsQuestion): Promise<DestinationPage> {
    const { limit } = question;
    const found = await this.list(question);
    const page = found.slice(0, limit);
    return {
      destinations: await Promise.all(page.map((host) => this.hostAnswer(host))),
      next_cursor: found.length > limit ? (page.at(-1)?._id ?? null) : null,
    };
  }

  async destinationCounts({ workspaces }: DestinationCountsQuestion): Promise<DestinationCounts> {
    const of = workspaces ?? [undefined];
    const count = async (state: HostState): Promise<number> => {
      const counts = await Promise.all(of.map((ws) => this.hosts.count({ ws, state }, MOST_HOSTS)));
      return Math.min(
        MOST_HOSTS,
        counts.reduce((sum, one) => sum + one, 0),
      );
    };
    return { failing: await count('failing'), paused: await count('paused') };
  }

  async destination({ ws, host }: HostQuestion): Promise<DestinationDetail | null> {
    const found = await this.hosts.find(ws, host);
    if (!found) return null;
    const waiting = await this.backlog.next(ws, host, MOST_SHOWN);
    return { ...(await this.hostAnswer(found)), requests: waiting.map(requestAnswer) };
  }

  /** One more than is asked for, where there are more. */
  private async list({ workspaces, state, after = '', limit }: DestinationsQuestion): Promise<readonly HostDocument[]> {
    const wanted = limit + 1;
    if (workspaces === undefined) return this.hosts.list({ state }, after, wanted);
    const found: HostDocument[] = [];
    // In the order of ids.
    for (const ws of [...workspaces].sort((a, b) => (`${a}|` < `${b}|` ? -1 : 1))) {
      if (found.length === wanted) break;
      if (`${ws}}` > after) found.push(...(await this.hosts.list({ ws, state }, after, wanted - found.length)));
    }
    return found;
  }

  private async hostAnswer(document: HostDocument): Promise<HostAnswer> {
    const { ws, host, state, at, outcome, httpStatus, deliveredAt, failingSince, pausedUntil } = document;
    const waiting = await this.backlog.count(ws, host, MOST_WAITING);
    const next = waiting > 0 ? await this.backlog.nextDue(ws, host) : undefined;
    return {
      workspace: ws,
      host,
      state,
      last_attempt: {
        time: at.toISOString(),
        outcome: outcome === 'postponed' ? 'unreachable' : outcome,
        http_status: httpStatus ?? null,
      },
      last_delivered_time: timeOf(deliveredAt),
      failing_since: timeOf(failingSince),
      paused_until: timeOf(pausedUntil),
      waiting,
      next_attempt_time: timeOf(next),
    };
  }
}

const requestAnswer = (waiting: WaitingDestination): DestinationDetail['requests'][number] => ({
  ...{ subject_request_id: waiting.srid, destination: waiting.destination, callbacks: waiting.pending.length },
  undelivered_since: timeOf(waiting.undeliveredSince),
  next_attempt_time: waiting.dueAt.toISOString(),
  failed_attempts: waiting.tries ?? 0,
  failing_since: timeOf(waiting.failingSince),
  postponed: waiting.postponed ?? false,
});
