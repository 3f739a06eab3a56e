import 'reflect-metadata';
import { TOPICS } from '@opendsr-service/contracts';
import { keySourceOf, rotationTimes, signerSources } from '@opendsr-service/config';
import { ownProcessOf, ownUpstream } from '@opendsr-service/operator-answers';
import {
  main,
  openServiceTokens,
  openStores,
  serveOnStores,
  signingParts,
  systemClock,
} from '@opendsr-service/service';
import { openSigning } from '@opendsr-service/signing';
import { tombstonesStep, loadLogKey, openKeys, openRotation, openVault } from '@opendsr-service/vault';
import { openWorkspaces, Participants } from '@opendsr-service/workspaces';
import { checkGateway, gatewayTable } from './gateway.config';
import {
  consoleLinkLine,
  furtherListeners,
  isOperatorPath,
  mountGateway,
  openOperatorPlatform,
  remoteUpstreams,
  ResultsClient,
} from './gateway.module';

void main({
  name: 'gateway',
  meaning: 'answers controllers: requests, discovery, certificates and results links',
  table: gatewayTable,
  check: checkGateway,
  run: async (values, host) => {
    const clock = systemClock;
    const now = () => clock.now().getTime();
    const keys = await host.waitFor('the master key', () => openKeys(keySourceOf(values)));
    const logSigner = await loadLogKey(values.TRANSPARENCY_KEY_FILE as string);
    const serviceTokens = await openServiceTokens(values.INTERNAL_TOKEN_FILE as string, host.log);
    const signing = await openSigning(signerSources(values), { clock, log: host.log });
    const stores = await openStores(values, 'gateway', host);
    const { storage, events } = stores;
    const { vault, linkKeys, seal } = await host.waitFor('keys', async () =>
      openVault(await storage.database('keys'), keys, now, events.publisher),
    );
    const rotation = openRotation(await storage.database('keys'), keys, rotationTimes(values), now);
    const connection = await storage.database('workspaces');
    const workspaces = await host.waitFor('workspaces', async () => openWorkspaces(connection, vault, seal, now));
    const participants = new Participants(connection, seal, now);
    const own = ownProcessOf(host);
    const results = new ResultsClient(values.RESULTS_URL as string, serviceTokens);
    const operator = await openOperatorPlatform(values, { clock, log: host.log, seal, mayLink: false });
    const gateway = await mountGateway(
      {
        storage,
        events,
        vault,
        rotation,
        linkKeys,
        workspaces,
        participants,
        signers: signing.signers,
        beforeRenewal: signing.beforeRenewal,
        logSigner,
        operator,
        upstreams: (documents) => [ownUpstream(own, [documents], clock), ...remoteUpstreams(values, serviceTokens)],
        clock,
        log: host.log,
      },
      values,
      results,
    );
    const running = await serveOnStores(values, host, stores, {
      services: [gateway],
      own,
      publicPort: values.PORT,
      furtherListeners: furtherListeners(values),
      publishes: [TOPICS.commands, TOPICS.keyTombstones, TOPICS.checkpoints],
      prepare: [tombstonesStep(vault, events, host.log)],
      processParts: [signingParts(signing, values, host.log)],
      errorStyle: (path) => (path !== undefined && isOperatorPath(path) ? 'problem' : 'dsr'),
    });
    if (operator?.link?.token !== undefined && values.OPERATOR_URL !== undefined)
      process.stdout.write(`${consoleLinkLine(values.OPERATOR_URL, operator.link.token)}\n`);
    return running;
  },
});
