import { apiDocsRules } from './api-docs.contract';
import { attestationRule, cancelledAttestationRule } from './attestations.contract';
import { foreignCallbackRule, replayRule, unreachableRule } from './callbacks.contract';
import { certificateRules, expectStoresMeasured } from './certificates.contract';
import { clientRules } from './client.contract';
import { conformanceRules } from './conformance.contract';
import { createRules } from './create.contract';
import { deliveryRules } from './delivery.contract';
import { edgeRules } from './edge.contract';
import { erasedArchiveRule, erasureRules, requestKeyRule } from './erasure.contract';
import { FULL } from './full';
import { ingestRules } from './ingest.contract';
import { isolationRules } from './isolation.contract';
import { keyRules } from './keys.contract';
import { limitRules } from './limits.contract';
import { exampleRule, participantRules, waiverRule } from './participants.contract';
import { privacyRules } from './privacy.contract';
import { protocolRules } from './protocol.contract';
import { queryRules } from './queries.contract';
import { raceRules } from './races.contract';
import { crashRules, linkRule } from './restart.contract';
import { erasureRoundRule, roundRules } from './rounds.contract';
import type { Service } from './service';
import { closeWorld, openWorld, rulesOn, warmUp, type Form, type Half, type Rule, type World } from './world';

/**
 * The rules for every form of the service, over HTTP only. The service starts once; only what follows the crash depends
 * on its order. The full form runs all rules on every form of the service, the short form a half on each.
 */
export function serviceContract(form: Form, start: () => Promise<Service>): void {
  describe(form.name, () => {
    let world: World | undefined;
    const opened = () => {
      if (!world) throw new Error('the service did not start');
      return world;
    };
    const rule = rulesOn(opened);
    const runs = (half: Half) => FULL || form.half === half;

    beforeAll(async () => {
      world = await openWorld(start);
    });
    afterAll(async () => {
      if (world) await closeWorld(world);
    });

    rule('ingested data of a person reaches an archive', warmUp);
    rule('every process measures what may end its stores', (world) => expectStoresMeasured(world, form));
    if (runs('behind')) behindRules(rule);
    if (runs('edge')) {
      edgeHalfRules(rule);
      erasedArchiveRule(rule);
    }
    if (FULL) specRules(rule);
    crashAndRaceRules(rule, form);
    if (FULL || !form.onMongodb) linkRule(rule);
    // The restore test and the contract of the vault show it in each run.
    if (FULL) erasureRules(rule);
    privacyRules(rule);
    if (runs('edge')) {
      requestKeyRule(rule);
      limitRules(rule);
    }
  });
}

function behindRules(rule: Rule): void {
  roundRules(rule);
  replayRule(rule);
  ingestRules(rule);
  participantRules(rule);
  attestationRule(rule);
}

function edgeHalfRules(rule: Rule): void {
  clientRules(rule);
  const revokedKeyRule = keyRules(rule);
  apiDocsRules(rule);
  protocolRules(rule);
  conformanceRules(rule);
  createRules(rule);
  isolationRules(rule);
  edgeRules(rule);
  certificateRules(rule);
  revokedKeyRule();
}

/** What specs of the apps, the restore test or rules that each run has show as well. */
function specRules(rule: Rule): void {
  erasureRoundRule(rule);
  deliveryRules(rule);
  foreignCallbackRule(rule);
  cancelledAttestationRule(rule);
  unreachableRule(rule);
  waiverRule(rule);
  exampleRule(rule);
}

/** What a crash leaves is done after a minute, in which the others run. The short form kills the form on servers. */
function crashAndRaceRules(rule: Rule, { onMongodb, half }: Form): void {
  const keptRule = FULL || onMongodb ? crashRules(rule) : undefined;
  // Before the races, whose hundreds of requests would have to end first.
  if (onMongodb) queryRules(rule);
  if (FULL || half === 'behind') raceRules(rule);
  keptRule?.();
}
