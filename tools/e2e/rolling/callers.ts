import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import { Controller, type Answer } from '../controller';
import { CallLedger } from './call-ledger';
import type { Called } from './cluster';

/** With a second between them, these outlast the election of a primary. */
const REPEATS = 30;

/** The calls of clients, written down as they are answered. */
export class Calls {
  readonly ledger = new CallLedger();
  /** Faults of signed answers, in words. */
  readonly unbelieved: string[] = [];
  /** The answers whose signature was not believed. */
  readonly doubted: Answer[] = [];

  /**
   * Waits for the answer; undefined without one. A call that is refused with 503 is repeated after its Retry-After, as
   * clients are to: the same bytes, a limited number of times. `again`: the statuses that are right when it is repeated.
   */
  async noted(
    what: string,
    expected: readonly number[],
    call: () => Promise<Answer>,
    again = expected,
  ): Promise<Answer | undefined> {
    for (let refusals = 0; ; refusals++) {
      const noted = { what, expected: refusals === 0 ? expected : again, refusals };
      try {
        const answer = await call();
        const waitSeconds = answer.headers.get('retry-after');
        if (answer.status === 503 && waitSeconds !== null && refusals < REPEATS) {
          await sleep(Number(waitSeconds) * 1_000);
          continue;
        }
        this.ledger.note({ ...noted, outcome: answer.status, retryAfter: waitSeconds !== null });
        return answer;
      } catch (error) {
        this.ledger.note({ ...noted, outcome: whyBroken(error) });
        return undefined;
      }
    }
  }
}

/** Who calls a cluster, in either version of the protocol. */
export interface Callers {
  /** A part of the names of all people of these callers, and of no others. */
  readonly family: string;
  readonly cluster: Called;
  readonly calls: Calls;
  /**
   * Every second caller keeps its connections, the others make one for each call: what stops must let go of the one
   * and still take the other.
   */
  callerOf(n: number, version: ProtocolVersion): Controller;
}

export function makeCallers(cluster: Called): Callers {
  return {
    family: randomUUID(),
    cluster,
    calls: new Calls(),
    callerOf: (n, version) =>
      new Controller({ ...cluster.account, ...(n % 2 === 1 && { headers: { connection: 'close' } }) }, version),
  };
}

function whyBroken(error: unknown): string {
  const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  return code ?? message;
}
