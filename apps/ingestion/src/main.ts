import 'reflect-metadata';
import { keySourceOf } from '@opendsr-service/config';
import { TOPICS } from '@opendsr-service/contracts';
import { answering } from '@opendsr-service/operator-answers';
import { main, openServiceTokens, openStores, serveOnStores, systemClock } from '@opendsr-service/service';
import { tombstonesStep, openKeys, openVault } from '@opendsr-service/vault';
import { openWorkspaces } from '@opendsr-service/workspaces';
import { checkIngestion, ingestionTable } from './ingestion.config';
import { isIngestPath, mountIngestion } from './ingestion.module';

void main({
  name: 'ingestion',
  meaning: 'ingests identities, attributes and events; exports and erases the data of a data subject',
  table: ingestionTable,
  check: checkIngestion,
  run: async (values, host) => {
    const clock = systemClock;
    const now = () => clock.now().getTime();
    const keys = await host.waitFor('the master key', () => openKeys(keySourceOf(values)));
    const serviceTokens = await openServiceTokens(values.INTERNAL_TOKEN_FILE as string, host.log);
    const stores = await openStores(values, 'ingestion', host);
    const { storage, events } = stores;
    const { vault, seal } = await host.waitFor('keys', async () =>
      openVault(await storage.database('keys'), keys, now, events.publisher),
    );
    const workspaces = await host.waitFor('workspaces', async () =>
      openWorkspaces(await storage.database('workspaces'), vault, seal, now),
    );
    const ingestion = await mountIngestion(
      { storage, events, vault, seal, workspaces, clock, log: host.log, serviceTokens },
      values,
    );
    return serveOnStores(values, host, stores, {
      services: [ingestion],
      ...answering(host, [ingestion.operator], { clock, tokens: serviceTokens }),
      publicPort: values.PORT,
      publishes: [TOPICS.ingestProfiles, TOPICS.ingestEvents, TOPICS.participantReports, TOPICS.keyTombstones],
      prepare: [tombstonesStep(vault, events, host.log)],
      errorStyle: (path) => (path === undefined || isIngestPath(path) ? 'ingest' : 'dsr'),
    });
  },
});
