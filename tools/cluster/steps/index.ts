import type { Installation } from '../installation';
import type { Proof } from '../proof';
import { proveFirstCalls } from './first-calls';
import { proveDrain, proveFrozenProcess, proveKilledPods, proveOutOfMemory } from './kills';
import { proveRequests } from './requests';
import { proveStarvedNode } from './short-cpu';
import { proveUninstall } from './uninstall';
import { proveUpgradeAmidRestarts, proveUpgrades } from './upgrades';

/** Something that is proved of an installation. */
export type Step = (proof: Proof, installation: Installation) => Promise<void>;

const afterwards: Step = (proof, installation) => proveRequests(proof, installation, 'Requests afterwards');

/** By the name that the command line gives them, in their order. */
export const fullSteps: Readonly<Record<string, Step>> = {
  'first-calls': proveFirstCalls,
  upgrades: proveUpgrades,
  'stores-restart': proveUpgradeAmidRestarts,
  kills: proveKilledPods,
  memory: proveOutOfMemory,
  frozen: proveFrozenProcess,
  drain: proveDrain,
  afterwards,
  'short-cpu': proveStarvedNode,
  uninstall: proveUninstall,
};

/** What `npm test` runs. */
export const shortSteps: Readonly<Record<string, Step>> = {
  'first-calls': proveFirstCalls,
  upgrades: proveUpgrades,
  uninstall: proveUninstall,
};
