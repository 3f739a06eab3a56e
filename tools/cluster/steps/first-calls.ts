import { V2 } from '@opendsr-service/contracts';
import { makeCallers } from '../../e2e/rolling/callers';
import { visit } from '../../e2e/rolling/lives';
import type { Installation } from '../installation';
import type { Proof } from '../proof';

/** So many that each pod gets some; the short form has one of each service. */
const CALLS = 24;
const CALLS_SHORT = 8;

/** Ready means that the producer was acknowledged: none of the first calls is refused. */
export async function proveFirstCalls(proof: Proof, installation: Installation): Promise<void> {
  const callers = makeCallers(installation);
  const { calls, family } = callers;
  const wanted = proof.short ? CALLS_SHORT : CALLS;
  await proof.step('The first calls after readiness', installation, async () => {
    for (let n = 0; n < wanted; n += 2) {
      const controller = callers.callerOf(1, V2);
      const email = `first-${String(n)}@${family}.example.com`;
      const identify = { user_identities: { email }, environment: 'production' };
      await Promise.all([
        calls.noted('identify', [200], () => controller.ingest('/v1/identify', identify)),
        calls.noted('events', [202], () => controller.ingest('/v2/events', visit(email, n))),
      ]);
    }
    return { calls: wanted, failed: {}, callbacks: 0 };
  });
  const { broken, putOff, wrong } = calls.ledger.faults();
  proof.checks.check('none of them is refused', [...broken, ...putOff, ...wrong]);
}
