import { apiDocsRules } from './api-docs.contract';
import { attestationRules } from './attestations.contract';
import { callbackRules } from './callbacks.contract';
import { certificateRules, expectStoresMeasured } from './certificates.contract';
import { clientRules } from './client.contract';
import { conformanceRules } from './conformance.contract';
import { createRules } from './create.contract';
import { deliveryRules } from './delivery.contract';
import { edgeRules } from './edge.contract';
import { erasureRules, requestKeyRule } from './erasure.contract';
import { FULL } from './full';
import { ingestRules } from './ingest.contract';
import { isolationRules } from './isolation.contract';
import { keyRules } from './keys.contract';
import { limitRules } from './limits.contract';
import { participantRules } from './participants.contract';
import { privacyRules } from './privacy.contract';
import { protocolRules } from './protocol.contract';
import { queryRules } from './queries.contract';
import { raceRules } from './races.contract';
import { restartRules } from './restart.contract';
import { roundRules } from './rounds.contract';
import type { Service } from './service';
import { closeWorld, openWorld, rulesOn, warmUp, type Form, type Half, type World } from './world';

/**
 * The rules for every form of the service, over HTTP only. The service starts once; only the last six parts depend on
 * their order. The full form runs all rules on every form of the service, the short form a half on each.
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
    if (runs('behind')) {
      roundRules(rule);
      deliveryRules(rule);
      callbackRules(rule);
      ingestRules(rule);
      participantRules(rule);
      attestationRules(rule);
    }
    if (runs('edge')) {
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
    // Before the races, whose hundreds of requests would have to end first.
    if (form.onMongodb) queryRules(rule);
    if (runs('behind')) raceRules(rule);
    restartRules(rule, { kills: FULL || form.onMongodb, expiresLinks: FULL || !form.onMongodb });
    if (runs('behind')) erasureRules(rule, form);
    privacyRules(rule);
    if (runs('behind')) requestKeyRule(rule);
    if (runs('edge')) limitRules(rule);
  });
}
