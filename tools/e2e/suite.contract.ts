import { apiDocsRules } from './api-docs.contract';
import { callbackRules } from './callbacks.contract';
import { certificateRules } from './certificates.contract';
import { clientRules } from './client.contract';
import { conformanceRules } from './conformance.contract';
import { createRules } from './create.contract';
import { deliveryRules } from './delivery.contract';
import { edgeRules } from './edge.contract';
import { erasureRules } from './erasure.contract';
import { ingestRules } from './ingest.contract';
import { isolationRules } from './isolation.contract';
import { keyRules } from './keys.contract';
import { limitRules } from './limits.contract';
import { participantRules } from './participants.contract';
import { privacyRules } from './privacy.contract';
import { protocolRules } from './protocol.contract';
import { raceRules } from './races.contract';
import { restartRules } from './restart.contract';
import { roundRules } from './rounds.contract';
import type { Service } from './service';
import { closeWorld, openWorld, rulesOn, warmUp, type Form, type World } from './world';

/** What every form of the service must do, seen over HTTP alone. The service starts once; the order of the parts matters to the last four only. */
export function serviceContract(form: Form, start: () => Promise<Service>): void {
  describe(form.name, () => {
    let world: World | undefined;
    const opened = () => {
      if (!world) throw new Error('the service did not start');
      return world;
    };
    const rule = rulesOn(opened);

    beforeAll(async () => {
      world = await openWorld(start);
    });
    afterAll(async () => {
      if (world) await closeWorld(world);
    });

    rule('what is told of a person reaches an archive', warmUp);
    roundRules(rule);
    deliveryRules(rule);
    callbackRules(rule);
    clientRules(rule);
    ingestRules(rule);
    const revokedKeyRule = keyRules(rule);
    participantRules(rule);
    apiDocsRules(rule);
    protocolRules(rule);
    conformanceRules(rule);
    createRules(rule);
    isolationRules(rule);
    edgeRules(rule);
    certificateRules(rule);
    revokedKeyRule();
    raceRules(rule);
    restartRules(rule);
    erasureRules(rule, form);
    privacyRules(rule);
    limitRules(rule);
  });
}
