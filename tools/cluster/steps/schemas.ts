import { dryRunFaults } from '../dry-run';
import type { Installation } from '../installation';
import type { Proof } from '../proof';

/** The API server takes every kept render of the chart, field by field, with the real custom resources. */
export async function proveSchemas(proof: Proof, { cluster }: Installation): Promise<void> {
  const faults = await proof.step('Server-side dry run of every golden, strict', undefined, () =>
    dryRunFaults(cluster),
  );
  proof.checks.check('the API server takes all of them', faults);
}
