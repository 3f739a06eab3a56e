import { get, type ClientRequest } from 'node:http';
import { answerTasks } from './helper-process';
import { Connection } from './connections';
import { spreadOf, type Spread } from './statistics';

export interface LookInput {
  readonly baseUrl: string;
  /** The secrets of the sessions, one for each operator. */
  readonly sessions: readonly string[];
  readonly durationMs: number;
  /** How long each operator waits between two calls. */
  readonly everyMs: number;
  /** What they read in turn, by a name for it. */
  readonly paths: Readonly<Record<string, string>>;
}

export interface Looked {
  readonly spreads: Readonly<Record<string, Spread | null>>;
  /** Answers other than 200, by their status. */
  readonly errors: Readonly<Record<number, number>>;
}

/** How soon a browser opens a stream again that ended. */
const AGAIN_MS = 2_000;

/** Follows what changes, as every open page of the console does, at little cost: it shares the machine. Returns how to stop. */
function follow(baseUrl: string, cookie: string): () => void {
  let open: ClientRequest | undefined;
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    open = get(`${baseUrl}/operator/v1/changes`, { agent: false, headers: { cookie } }, (answer) => {
      answer.once('error', () => undefined).resume();
    });
    open
      .once('error', () => undefined)
      .once('close', () => {
        timer = setTimeout(begin, AGAIN_MS);
      });
  };
  begin();
  return () => {
    open?.removeAllListeners('close').destroy();
    clearTimeout(timer);
  };
}

/** Operators who read, each in a session, with a stream of changes and on a connection of their own. */
async function look({ baseUrl, sessions, durationMs, everyMs, paths }: LookInput): Promise<Looked> {
  const names = Object.keys(paths);
  const lasted: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  const errors: Record<number, number> = {};
  const ends = performance.now() + durationMs;
  const operator = async (secret: string, at: number): Promise<void> => {
    const cookie = `__Host-opendsr-operator=${secret}`;
    const leave = follow(baseUrl, cookie);
    const connection = new Connection(baseUrl, { cookie });
    await sleep((at * everyMs) / sessions.length);
    for (let n = at; performance.now() < ends; n += 1) {
      const name = names[n % names.length] ?? '';
      const begin = performance.now();
      const { status } = await connection.call('GET', `/operator/v1${paths[name] ?? ''}`);
      const tookMs = performance.now() - begin;
      if (status === 200) lasted[name]?.push(tookMs);
      else errors[status] = (errors[status] ?? 0) + 1;
      await sleep(Math.max(0, everyMs - tookMs));
    }
    await connection.close();
    leave();
  };
  await Promise.all(sessions.map(operator));
  return { spreads: Object.fromEntries(names.map((name) => [name, spreadOf(lasted[name] ?? [])])), errors };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const tasks = { look };
export type OperatorTasks = typeof tasks;

answerTasks(tasks);
