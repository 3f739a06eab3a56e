import 'reflect-metadata';
import { keySourceOf } from '@opendsr-service/config';
import { TOPICS } from '@opendsr-service/contracts';
import { answering } from '@opendsr-service/operator-answers';
import { main, openServiceTokens, openStores, serveOnStores, systemClock } from '@opendsr-service/service';
import { tombstonesStep, openKeys, openVault } from '@opendsr-service/vault';
import { checkResults, resultsTable } from './results.config';
import { IngestionClient, mountResults } from './results.module';

void main({
  name: 'results',
  meaning: 'builds archives for access and portability, serves them while they are valid, and removes them',
  table: resultsTable,
  check: checkResults,
  run: async (values, host) => {
    const clock = systemClock;
    const keys = await host.waitFor('the master key', () => openKeys(keySourceOf(values)));
    const serviceTokens = await openServiceTokens(values.INTERNAL_TOKEN_FILE as string, host.log);
    const stores = await openStores(values, 'results', host);
    const { storage, events } = stores;
    const { vault, linkKeys, seal } = await host.waitFor('keys', async () =>
      openVault(await storage.database('keys'), keys, () => clock.now().getTime(), events.publisher),
    );
    const source = new IngestionClient(values.INGESTION_URL as string, serviceTokens);
    const results = await mountResults(
      { storage, events, vault, linkKeys, seal, clock, log: host.log, serviceTokens },
      values,
      source,
    );
    return serveOnStores(values, host, stores, {
      services: [results],
      ...answering(host, [results.operator], { clock, tokens: serviceTokens }),
      publishes: [TOPICS.participantReports, TOPICS.keyTombstones],
      prepare: [tombstonesStep(vault, events, host.log)],
    });
  },
});
