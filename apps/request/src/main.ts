import 'reflect-metadata';
import { keyServiceOf } from '@opendsr-service/config';
import { TOPICS } from '@opendsr-service/contracts';
import { answering } from '@opendsr-service/operator-answers';
import { main, openServiceTokens, openStores, serveOnStores, systemClock } from '@opendsr-service/service';
import { MasterSeal, openKeys } from '@opendsr-service/vault';
import { checkRequest, requestTable } from './request.config';
import { mountRequest } from './request.module';

void main({
  name: 'request',
  meaning: 'decides what becomes of requests: commands and reports in, events out',
  table: requestTable,
  check: checkRequest,
  run: async (values, host) => {
    const clock = systemClock;
    const source = { masterKeyFile: values.MASTER_KEY_FILE as string, service: keyServiceOf(values) };
    const { masterKey } = await host.waitFor('the master key', () => openKeys(source));
    const seal = new MasterSeal(masterKey);
    const serviceTokens =
      values.INTERNAL_TOKEN_FILE === undefined
        ? undefined
        : await openServiceTokens(values.INTERNAL_TOKEN_FILE, host.log);
    const stores = await openStores(values, 'request', host);
    const { storage, events } = stores;
    const request = await mountRequest({ storage, events, seal, clock, log: host.log }, values);
    return serveOnStores(values, host, stores, {
      services: [request],
      ...answering(host, [request.operator], { clock, tokens: serviceTokens }),
      publishes: [TOPICS.requestEvents, TOPICS.evidenceLeaves],
    });
  },
});
