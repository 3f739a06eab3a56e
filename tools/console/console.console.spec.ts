import { accessibilityRules } from './accessibility.contract';
import { actionRules } from './actions.contract';
import { attackRules } from './attacks.contract';
import { buttonRules } from './buttons.contract';
import { evidenceRules } from './evidence.contract';
import { journeyRules } from './journey.contract';
import { requestsRules } from './requests.contract';
import { roleRules } from './roles.contract';
import { shellRules } from './shell.contract';
import { signInRules } from './sign-in.contract';
import { openWorld, rulesOn, type ConsoleWorld } from './testing/world';

let world: ConsoleWorld | undefined;
const rule = rulesOn(() => {
  if (!world) throw new Error('the world did not open');
  return world;
});

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.close());

describe('sign-in', () => signInRules(rule));
describe('what surrounds every page', () => shellRules(rule));
describe('requests', () => requestsRules(rule));
describe('evidence', () => evidenceRules(rule));
describe('every page', () => accessibilityRules(rule));
describe('roles', () => roleRules(rule));
describe('buttons', () => buttonRules(rule));
describe('actions', () => actionRules(rule));
describe('journey', () => journeyRules(rule));
describe('attacks', () => attackRules(rule));
