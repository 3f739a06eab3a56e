import 'reflect-metadata';
import { TOPICS } from '@opendsr-service/contracts';
import { keySourceOf, signerSources } from '@opendsr-service/config';
import { answering } from '@opendsr-service/operator-answers';
import {
  main,
  openServiceTokens,
  openStores,
  serveOnStores,
  signingParts,
  systemClock,
} from '@opendsr-service/service';
import { openSigning } from '@opendsr-service/signing';
import { tombstonesStep, openKeys, openVault } from '@opendsr-service/vault';
import { callbackDispatcherTable, checkCallbackDispatcher } from './callback-dispatcher.config';
import { mountCallbackDispatcher } from './callback-dispatcher.module';

void main({
  name: 'callback-dispatcher',
  meaning: 'sends controllers signed callbacks, in order, until they are received',
  table: callbackDispatcherTable,
  check: checkCallbackDispatcher,
  run: async (values, host) => {
    const clock = systemClock;
    const now = () => clock.now().getTime();
    const keys = await host.waitFor('the master key', () => openKeys(keySourceOf(values)));
    const signing = await openSigning(signerSources(values), { clock, log: host.log });
    const serviceTokens =
      values.INTERNAL_TOKEN_FILE === undefined
        ? undefined
        : await openServiceTokens(values.INTERNAL_TOKEN_FILE, host.log);
    const stores = await openStores(values, 'callback-dispatcher', host);
    const { storage, events } = stores;
    const { vault, linkKeys } = await host.waitFor('keys', async () =>
      openVault(await storage.database('keys'), keys, now, events.publisher),
    );
    const dispatcher = await mountCallbackDispatcher(
      { storage, events, vault, linkKeys, signers: signing.signers, clock, log: host.log },
      values,
    );
    return serveOnStores(values, host, stores, {
      services: [dispatcher],
      ...answering(host, [dispatcher.operator], { clock, tokens: serviceTokens }),
      publishes: [TOPICS.deliveryEvents],
      prepare: [tombstonesStep(vault, events, host.log)],
      processParts: [signingParts(signing, values, host.log)],
    });
  },
});
