import type { Installation } from '../installation';
import type { Proof } from '../proof';

/** Nothing of the release is left but the operator's Jobs, and the Secrets that the chart did not make. */
export async function proveUninstall(proof: Proof, installation: Installation): Promise<void> {
  await proof.step('`helm uninstall`', undefined, () => installation.uninstall());
  const kinds = 'deployment,statefulset,service,networkpolicy,poddisruptionbudget,horizontalpodautoscaler,ingress,job';
  const left = (await installation.kubectl('get', kinds, '-o', 'name')).split('\n');
  proof.checks.check(
    'nothing of the release is left but Jobs of the operator',
    left.filter((one) => one !== '' && !one.includes('operator')),
  );
  const secrets = await installation.kubectl('get', 'secret', '-o', 'name');
  proof.checks.check('the master key is still there', secrets.includes('secret/opendsr-master-key'));
}
