import { budgets, calmUpgrades, consumersHavePartitions, scaling, spread } from './availability';
import { onceEach, pinnedImages, resources } from './containers';
import { claimsKept, oneWriter } from './data';
import { noAdminPort, operatorsApart } from './exposure';
import { patient, probes, startsInTime, stopsInTime } from './lifetime';
import { restricted } from './restricted';
import type { Rule } from './rule';
import { noLiteralSecrets, noSecretObjects, noServiceAccountToken, secretsFollow } from './secrets';
import {
  hooksOfTests,
  labelled,
  namesOnce,
  namespaced,
  ownPods,
  servicesLead,
  testsOrdered,
  volumesMounted,
} from './wiring';

/** Every rule of the chart by its name; each has planted manifests that it must refuse (rules.spec.ts). */
export const RULES = {
  restricted,
  resources,
  pinnedImages,
  onceEach,
  noSecretObjects,
  noServiceAccountToken,
  noLiteralSecrets,
  secretsFollow,
  probes,
  patient,
  startsInTime,
  stopsInTime,
  namesOnce,
  namespaced,
  hooksOfTests,
  testsOrdered,
  labelled,
  ownPods,
  servicesLead,
  volumesMounted,
  scaling,
  consumersHavePartitions,
  budgets,
  calmUpgrades,
  spread,
  oneWriter,
  claimsKept,
  noAdminPort,
  operatorsApart,
} as const satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;
