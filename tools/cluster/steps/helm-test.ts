import type { Installation } from '../installation';
import type { Proof } from '../proof';

/** `helm test` succeeds on a release that answers. */
export async function proveHelmTest(proof: Proof, installation: Installation): Promise<void> {
  const said = await proof.step('`helm test`', installation, () => installation.test());
  proof.checks.check('it succeeds', /Phase: +Succeeded/.test(said));
}
