import type { Installation } from '../installation';
import type { Proof } from '../proof';
import { proveRequests } from './requests';

/** What the pods of the default values ask for, in thousandths of a CPU: 1,800 together. */
const ASKED = { 'gateway.resources': 500, 'defaults.resources': 100 };

const cpu = (of: (asked: number) => string): string[] =>
  Object.entries(ASKED).flatMap(([path, asked]) =>
    ['requests', 'limits'].map((kind) => `${path}.${kind}.cpu=${of(asked)}`),
  );

/** A node with a third of the CPU that its pods ask for: slow, and no container is started again. */
export async function proveShortCpu(proof: Proof, installation: Installation): Promise<void> {
  await proof.step('Each pod has a third of the CPU that it asks for by default: all are replaced', installation, () =>
    installation.upgrade(...cpu((asked) => `${String(Math.floor(asked / 3))}m`)),
  );
  proof.noRestart();
  await proveRequests(proof, installation, 'The same: requests');
  proof.noRestart();
  await installation.upgrade(...cpu(() => '50m').filter((value) => value.includes('requests')), ...limits);
}

const limits = Object.keys(ASKED).map((path) => `${path}.limits.cpu=2`);
