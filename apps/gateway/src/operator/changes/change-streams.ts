import { Readable } from 'node:stream';
import { tooManyRequests } from '@opendsr-service/edge';
import type { Sessions } from '@opendsr-service/operator-access';
import type { Clock, Metric } from '@opendsr-service/service';
import type { OperatorCaller } from '../access/operator-caller';
import { reachOf } from '../access/reach';
import type { ChangeFeed } from './change-feed';
import type { Changes } from './changes.document';

/** Streams of this process, and of one operator. */
const MOST_STREAMS = 200;
const MOST_OF_ONE = 10;
const RETRY_AFTER_SECONDS = 30;
/** A browser comes back by itself, with whatever roles it has then. */
const LONGEST_MS = 10 * 60_000;
/** Proxies close connections on which nothing is sent. */
const SILENCE_MS = 15_000;
/** How long a reader may take to read the end. */
const LAST_MS = 5_000;
/** A reader that is further behind is sent away: its page offers to read lists again when it comes back. */
const MOST_UNREAD = 65_536;

/** How many streams are open. */
export const streamsMetric = (count: () => number): Metric => ({
  ...{ kind: 'gauge', name: 'opendsr_operator_streams', labels: [] },
  help: 'Streams of changes that operators have open in this process.',
  read: () => [{ labels: {}, value: count() }],
});

interface Open {
  readonly stream: Readable;
  readonly subject: string;
  /** Absent: a machine. */
  readonly sessionId: string | undefined;
  readonly endsAtMs: number;
  endedAtMs: number;
  sentAtMs: number;
}

/** Server-sent events of what changed, one stream for each browser that asks. */
export class ChangeStreams {
  private readonly open = new Set<Open>();
  private whole: { readonly of: Changes; readonly text: string } | undefined;

  constructor(
    private readonly feed: Pick<ChangeFeed, 'listen'>,
    private readonly clock: Clock,
  ) {}

  /** What changed in the workspaces that the operator may read, no longer than its token counts. Throws a 429 where too many are open. */
  start(operator: OperatorCaller): Readable {
    const { subject, session } = operator;
    const own = [...this.open].filter((one) => one.subject === subject).length;
    if (this.open.size >= MOST_STREAMS || own >= MOST_OF_ONE) throw tooManyRequests(RETRY_AFTER_SECONDS);
    const reached = reachOf(operator);
    const nowMs = this.clock.now().getTime();
    const stream = new Readable({ read: () => undefined });
    const endsAtMs = Math.min(nowMs + LONGEST_MS, operator.session ? Infinity : operator.endsAt.getTime());
    const one: Open = { stream, subject, sessionId: session?.id, endsAtMs, endedAtMs: Infinity, sentAtMs: nowMs };
    this.open.add(one);
    const unlisten = this.feed.listen((changes) => {
      if (reached === 'all') return this.send(one, this.wholeEvent(changes));
      const { more } = changes;
      const shown = changes.requests.filter(({ ws }) => reached.includes(ws));
      if (shown.length > 0 || more) this.send(one, changedEvent({ requests: shown, more }));
    });
    stream.once('close', () => {
      unlisten();
      this.open.delete(one);
    });
    this.send(one, 'retry: 2000\n\n');
    return stream;
  }

  get count(): number {
    return this.open.size;
  }

  /** Ends the streams of sessions that were signed out, or ended by time. */
  async endWithSessions(sessions: Pick<Sessions, 'alive'>): Promise<void> {
    // The answer says nothing about a session whose first stream opens meanwhile.
    const asked = [...this.open].flatMap((one) => (one.sessionId === undefined ? [] : [{ one, id: one.sessionId }]));
    if (asked.length === 0) return;
    const alive = await sessions.alive([...new Set(asked.map(({ id }) => id))]);
    for (const { one, id } of asked) if (!alive.has(id)) this.end(one);
  }

  /** Keeps quiet streams open, ends old ones, and closes those whose end is not read. Call it every second or so. */
  tick(): void {
    const nowMs = this.clock.now().getTime();
    for (const one of this.open) {
      if (nowMs >= one.endedAtMs + LAST_MS) one.stream.destroy();
      else if (nowMs >= one.endsAtMs) this.end(one);
      else if (nowMs - one.sentAtMs >= SILENCE_MS) this.send(one, ':\n\n');
    }
  }

  /** For the stop of the process: an answer without an end would hold it up. */
  endAll(): void {
    for (const one of this.open) this.end(one);
  }

  private end(one: Open): void {
    one.endedAtMs = Math.min(one.endedAtMs, this.clock.now().getTime());
    one.stream.push(null);
  }

  /** Written once for all streams that get all of it. */
  private wholeEvent(changes: Changes): string {
    if (this.whole?.of !== changes) this.whole = { of: changes, text: changedEvent(changes) };
    return this.whole.text;
  }

  private send(one: Open, text: string): void {
    if (one.endedAtMs !== Infinity || one.stream.destroyed) return;
    one.sentAtMs = this.clock.now().getTime();
    if (one.stream.readableLength > MOST_UNREAD) one.stream.destroy();
    else one.stream.push(text);
  }
}

function changedEvent({ requests, more }: Changes): string {
  const data = { requests: requests.map(({ ws, srid }) => ({ workspace: ws, subject_request_id: srid })), more };
  return `event: changed\ndata: ${JSON.stringify(data)}\n\n`;
}
