import type { Rule } from './rule';
import { callbackRules } from './rules/callbacks';
import { cancelRules } from './rules/cancel';
import { certificateRules } from './rules/certificate';
import { conflictRules } from './rules/conflict';
import { createRules } from './rules/create';
import { credentialRules } from './rules/credentials';
import { discoveryRules } from './rules/discovery';
import { errorRules } from './rules/errors';
import { groupRules } from './rules/groups';
import { identityRules } from './rules/identities';
import { isolationRules } from './rules/isolation';
import { refusalRules } from './rules/refusals';
import { resultsRules } from './rules/results';
import { routeRules } from './rules/routes';
import { statusRules } from './rules/status';
import { throttlingRules } from './rules/throttling';

/** Every rule, in the order of the table. */
export const CATALOGUE: readonly Rule[] = [
  discoveryRules,
  certificateRules,
  routeRules,
  credentialRules,
  createRules,
  refusalRules,
  identityRules,
  conflictRules,
  statusRules,
  groupRules,
  cancelRules,
  callbackRules,
  resultsRules,
  errorRules,
  isolationRules,
  throttlingRules,
].flat();
