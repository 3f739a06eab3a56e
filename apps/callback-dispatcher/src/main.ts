import 'reflect-metadata';
import { TOPICS } from '@opendsr-service/contracts';
import { keySourceOf, signerSources } from '@opendsr-service/config';
import { answering } from '@opendsr-service/operator-answers';
import {
  main,
  openServiceTokens,
  openStores,
  producerStep,
  replicationOf,
  serveMounted,
  signingParts,
  systemClock,
  storeParts,
  topicsStep,
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
    const { storage, events, checks, closing } = await openStores(values, 'callback-dispatcher', host);
    const { vault, linkKeys } = await host.waitFor('keys', async () =>
      openVault(await storage.database('keys'), keys, now, events.publisher),
    );
    const dispatcher = await mountCallbackDispatcher(
      { storage, events, vault, linkKeys, signers: signing.signers, clock, log: host.log },
      values,
    );
    return serveMounted(values, host, {
      services: [dispatcher],
      ...answering(host, [dispatcher.operator], { clock, tokens: serviceTokens }),
      prepare: [
        topicsStep(events, replicationOf(values), host.log),
        producerStep(events, [TOPICS.deliveryEvents]),
        tombstonesStep(vault, events),
      ],
      processParts: [storeParts(values, host.log), signingParts(signing, values, host.log)],
      checks,
      closing,
    });
  },
});
