import type { Answer } from '../../e2e/controller';
import type { CallLedger } from '../../e2e/rolling/call-ledger';
import { startLoad, type LoadSize } from '../../e2e/rolling/load';
import { settle } from '../../e2e/rolling/settle';
import { until } from '../../receiver/until';
import type { Installation } from '../installation';
import type { Proof, Seen } from '../proof';

/** About 20 calls a second: creates, reads, cancels, results and events. */
const SIZE: LoadSize = { lives: 6, others: 3, pauseMs: 450 };
/** A machine that also runs other suites gets about half of them. */
const SHORT_SIZE: LoadSize = { lives: 3, others: 1, pauseMs: 450 };
const LIMIT_MS = 240_000;

/** How calls may fail during a change. */
export type Allowed =
  /** Each is answered as ever. */
  | 'none'
  /** 503 with `Retry-After`, while a store is away. */
  | '503'
  /** Calls that a killed process had taken are broken. */
  | 'broken';

export interface Change {
  readonly title: string;
  readonly happens: () => Promise<unknown>;
  readonly allowed?: Allowed;
  /**
   * Where a certificate is replaced, whether it or the one before signed an answer. A receiver that still has the other
   * one refuses callbacks until they come again (docs/certificates.md).
   */
  readonly isSigned?: (answer: Answer) => boolean;
}

/** Lets something happen under calls, and checks that nothing that was answered is lost: no request, callback or batch. */
export async function underLoad(
  proof: Proof,
  installation: Installation,
  { title, happens, allowed = 'none', isSigned }: Change,
): Promise<void> {
  const load = startLoad(installation, proof.short ? SHORT_SIZE : SIZE);
  const { ledger } = load.calls;
  const { end: settled } = await proof.step(title, installation, async () => {
    let perSecond: number;
    try {
      await until('lives with results', () => load.links.size > 2, LIMIT_MS);
      perSecond = await rateDuring(() => callsIn(ledger), happens);
    } finally {
      await load.stop();
    }
    const end = await settle(load, LIMIT_MS);
    return { end, ...seenOf(ledger, end.heard.callbacks), perSecond };
  });
  const { broken, putOff, refused, wrong } = ledger.faults();
  const { checks } = proof;
  if (allowed !== 'broken') checks.check('every call is answered', count(broken));
  // A machine that also runs other suites may be overloaded: then 503 with `Retry-After` is the promise. Ingestion delays calls while
  // the event log takes more than a second.
  if (allowed === 'none' && !proof.short)
    checks.check('no call is refused', count(putOff.filter((call) => call !== 'events 503')));
  checks.check('every refused call succeeds when it is repeated', count(refused));
  checks.check('every other answer is the expected one', count(wrong));
  checks.check('every request ends as its answers promised', settled.brokenPromises);
  const { lost, disordered, unlike, unbelieved } = settled.callbacks;
  checks.check('no callback is lost', lost);
  checks.check('callbacks keep their order', disordered);
  checks.check('a repeated callback has the same bytes', unlike);
  if (isSigned) {
    checks.note(`refused until they came again: ${String(unbelieved.length)} callbacks`);
    checks.check('every answer is signed', load.calls.doubted.every(isSigned));
  } else checks.check('every signature is believed', [...unbelieved, ...load.calls.unbelieved]);
  checks.check('no batch of events is lost', settled.missing);
  checks.check('no status goes back', load.backwards);
}

/** By how much a count grows in a second while something happens. */
async function rateDuring(count: () => number, happens: () => Promise<unknown>): Promise<number> {
  const [before, begunMs] = [count(), performance.now()];
  await happens();
  return (count() - before) / ((performance.now() - begunMs) / 1_000);
}

const callsIn = (ledger: CallLedger): number => Object.values(ledger.counts()).reduce((sum, one) => sum + one, 0);

function seenOf(ledger: CallLedger, callbacks: number): Seen {
  const { broken, putOff, refused, wrong } = ledger.faults();
  const failed = countsOf([...broken, ...refused, ...wrong]);
  return {
    calls: callsIn(ledger),
    failed,
    refused: countsOf(putOff),
    repeated: putOff.length - refused.length,
    callbacks,
  };
}

function countsOf(faults: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const fault of faults) counts[fault] = (counts[fault] ?? 0) + 1;
  return counts;
}

const count = (faults: readonly string[]): string[] =>
  Object.entries(countsOf(faults)).map(([fault, times]) => `${fault}: ${String(times)} times`);
