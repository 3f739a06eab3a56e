import type { Installation } from '../installation';
import type { Proof } from '../proof';
import { proveFirstCalls } from './first-calls';
import { proveHelmTest } from './helm-test';
import { proveJobs, proveRestore } from './jobs';
import { proveDrain, proveFrozenProcess, proveKilledPods, proveOutOfMemory } from './kills';
import { proveNetwork } from './network';
import { proveOnePod } from './one-pod';
import { proveRequests } from './requests';
import { proveNewCertificate, proveNewPasswords, proveNewToken } from './rotation';
import { proveScaling } from './scaling';
import { proveSchemas } from './schemas';
import { proveCalmInStorm } from './storm';
import { proveTrial } from './trial';
import { proveUninstall } from './uninstall';
import { proveUpgradeAmidRestarts, proveUpgrades } from './upgrades';

/** Something that is proved of an installation. */
export type Step = (proof: Proof, installation: Installation) => Promise<void>;

const afterwards: Step = (proof, installation) => proveRequests(proof, installation, 'Requests afterwards');

/** By the name that the command line gives them, in their order. */
export const fullSteps: Readonly<Record<string, Step>> = {
  schemas: proveSchemas,
  'first-calls': proveFirstCalls,
  'helm-test': proveHelmTest,
  network: proveNetwork,
  upgrades: proveUpgrades,
  'stores-restart': proveUpgradeAmidRestarts,
  kills: proveKilledPods,
  memory: proveOutOfMemory,
  frozen: proveFrozenProcess,
  drain: proveDrain,
  scaling: proveScaling,
  certificate: proveNewCertificate,
  token: proveNewToken,
  passwords: proveNewPasswords,
  afterwards,
  storm: proveCalmInStorm,
  jobs: proveJobs,
  restore: proveRestore,
  uninstall: proveUninstall,
  trial: proveTrial,
  'one-pod': proveOnePod,
};

/** What `npm test` runs. */
export const shortSteps: Readonly<Record<string, Step>> = {
  schemas: proveSchemas,
  'first-calls': proveFirstCalls,
  'helm-test': proveHelmTest,
  network: proveNetwork,
  uninstall: proveUninstall,
};
