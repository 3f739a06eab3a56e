import 'reflect-metadata';
import { TOPICS } from '@opendsr-service/contracts';
import { rotationTimes, storesOf } from '@opendsr-service/config';
import {
  main,
  openStores,
  producerStep,
  replicationOf,
  serveMounted,
  signingParts,
  systemClock,
  topicsStep,
} from '@opendsr-service/service';
import { tombstonesStep, openRotation, openVault } from '@opendsr-service/vault';
import { openWorkspaces, Participants } from '@opendsr-service/workspaces';
import { furtherListeners, isOperatorPath, openOperatorPlatform } from '@opendsr-service/gateway';
import { isIngestPath } from '@opendsr-service/ingestion';
import { banner, operatorLinkOf } from './banner';
import { sandboxCredentials } from './sandbox/credentials.store';
import { openSecrets } from './sandbox/secrets';
import { checkStandalone, standaloneTable } from './standalone.config';
import { mountAll } from './standalone.module';

const errorStyleOf = (path: string | undefined): 'ingest' | 'problem' | 'dsr' => {
  if (path === undefined) return 'dsr';
  return isIngestPath(path) ? 'ingest' : isOperatorPath(path) ? 'problem' : 'dsr';
};

void main({
  name: 'standalone',
  meaning: 'all five services in one process, on embedded stores unless real servers are named',
  table: standaloneTable,
  check: checkStandalone,
  run: async (values, host) => {
    const clock = systemClock;
    const now = () => clock.now().getTime();
    // The lock on the data folder comes first: only one process may create secrets in it.
    const { storage, events, checks, closing } = await openStores(values, 'standalone', host);
    const { keys, signing, logSigner, authorityFile } = await openSecrets(values, {
      clock,
      log: host.log,
      waitFor: host.waitFor,
    });
    const sandbox =
      values.TIMING_PROFILE === 'sandbox'
        ? await sandboxCredentials(values.DATA_DIR, { key: values.SANDBOX_KEY, secret: values.SANDBOX_SECRET })
        : undefined;
    const { vault, linkKeys, seal } = await host.waitFor('keys', async () =>
      openVault(await storage.database('keys'), keys, now, events.publisher),
    );
    const rotation = openRotation(await storage.database('keys'), keys, rotationTimes(values), now);
    const connection = await storage.database('workspaces');
    const workspaces = await host.waitFor('workspaces', async () => openWorkspaces(connection, vault, seal, now));
    const participants = new Participants(connection, seal, now);
    const operator = await openOperatorPlatform(values, { clock, seal, mayLink: true });
    const platform = {
      operator,
      storage,
      events,
      vault,
      rotation,
      linkKeys,
      seal,
      workspaces,
      participants,
      signers: signing.signers,
      beforeRenewal: signing.beforeRenewal,
      logSigner,
      clock,
      log: host.log,
      // The services of one process call each other without HTTP.
      serviceTokens: () => Promise.resolve([]),
    };
    const running = await serveMounted(values, host, {
      services: await mountAll(platform, {
        ...values,
        SANDBOX_KEY: sandbox?.key,
        SANDBOX_SECRET: sandbox?.secret,
        // Receivers of the sandbox, such as the demo's, carry certificates of its own authority.
        CALLBACK_CA_FILE: values.CALLBACK_CA_FILE ?? authorityFile,
      }),
      publicPort: values.PORT,
      furtherListeners: furtherListeners(values),
      prepare: [
        topicsStep(events, replicationOf(values)),
        producerStep(events, Object.values(TOPICS)),
        tombstonesStep(vault, events),
      ],
      processParts: signingParts(signing, values, host.log),
      checks,
      closing,
      errorStyle: errorStyleOf,
    });
    const at = (port: number | undefined) =>
      `http://${values.HOST === '127.0.0.1' ? 'localhost' : values.HOST}:${port}`;
    const [operatorPort] = values.OPERATOR_PORT === undefined ? [running.port] : running.furtherPorts.slice(-1);
    process.stdout.write(
      banner({
        operatorLink: operatorLinkOf(values.OPERATOR_URL ?? at(operatorPort), operator?.link?.token),
        ...{
          url: at(running.port),
          adminUrl: at(running.adminPort),
          stores: storesOf(values),
          profile: values.TIMING_PROFILE,
        },
        urlV1: signing.signers.v1 && at(values.PORT_V1 === undefined ? running.port : running.furtherPorts[0]),
        sandbox: sandbox && { ...sandbox, authorityFile },
      }),
    );
    return running;
  },
});
