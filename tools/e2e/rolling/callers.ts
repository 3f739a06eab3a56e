import { randomUUID } from 'node:crypto';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import { Controller, type Answer } from '../controller';
import { CallLedger } from './call-ledger';
import type { Called } from './cluster';

/** The calls of clients, written down as they are answered. */
export class Calls {
  readonly ledger = new CallLedger();
  /** Faults of signed answers, in words. */
  readonly unbelieved: string[] = [];

  /** Waits for the answer; undefined without one. */
  async noted(what: string, expected: readonly number[], call: Promise<Answer>): Promise<Answer | undefined> {
    try {
      const answer = await call;
      this.ledger.note({ what, outcome: answer.status, expected, retryAfter: answer.headers.has('retry-after') });
      return answer;
    } catch (error) {
      this.ledger.note({ what, outcome: whyBroken(error), expected });
      return undefined;
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
