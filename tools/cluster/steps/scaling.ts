import { until } from '../../receiver/until';
import type { Installation } from '../installation';
import { SERVICE } from '../names';
import type { Proof } from '../proof';
import { underLoad } from './under-load';

const SCALER = `${SERVICE}-gateway`;
const SCALED_MS = 420_000;
/** Far above what the calls here cost, so that the autoscaler takes pods away. */
const HIGH_PERCENT = 100_000;

/** The gateway's autoscaler adds and removes pods under calls, of which none fails. */
export async function proveScaling(proof: Proof, installation: Installation): Promise<void> {
  const scaler = { mode: 'hpa', maxReplicas: 4, scaleDownStabilizationSeconds: 15 };
  await installation.upgrade(
    ...Object.entries(scaler).map(([name, value]) => `gateway.autoscaling.${name}=${String(value)}`),
  );
  const replicas = async (): Promise<number> =>
    Number(await installation.kubectl('get', 'hpa', SCALER, '-o', 'jsonpath={.status.currentReplicas}'));
  await underLoad(proof, installation, {
    title: 'The autoscaler adds gateways and removes them',
    happens: async () => {
      await until('a third gateway', async () => (await replicas()) > 2, SCALED_MS);
      await installation.allReady();
      const target = { type: 'Utilization', averageUtilization: HIGH_PERCENT };
      const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
      await installation.kubectl(
        'patch',
        'hpa',
        SCALER,
        '--type',
        'merge',
        '-p',
        JSON.stringify({ spec: { metrics } }),
      );
      await until('two gateways again', async () => (await replicas()) === 2, SCALED_MS);
    },
  });
  await installation.upgrade('gateway.autoscaling.mode=none');
}
