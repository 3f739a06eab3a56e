import 'reflect-metadata';
import { TOPICS } from '@opendsr-service/contracts';
import { rotationTimes, storesOf } from '@opendsr-service/config';
import { ownProcessOf } from '@opendsr-service/operator-answers';
import {
  main,
  type Host,
  openStores,
  type OpenStores,
  type RunningProcess,
  serveOnStores,
  signingParts,
  systemClock,
} from '@opendsr-service/service';
import { lockDirectory } from '@opendsr-service/storage';
import { tombstonesStep, openRotation, openVault } from '@opendsr-service/vault';
import { openWorkspaces, Participants } from '@opendsr-service/workspaces';
import { furtherListeners, isOperatorPath, openOperatorPlatform } from '@opendsr-service/gateway';
import { isIngestPath } from '@opendsr-service/ingestion';
import { banner, shownHost } from './banner';
import { sandboxCredentials } from './sandbox/credentials.store';
import { mountFirstRun } from './sandbox/first-run/first-run.module';
import { openSecrets } from './sandbox/secrets';
import { checkStandalone, standaloneTable, type StandaloneValues } from './standalone.config';
import { mountAll } from './standalone.wiring';

const errorStyleOf = (path: string | undefined): 'ingest' | 'problem' | 'dsr' => {
  if (path === undefined) return 'dsr';
  return isIngestPath(path) ? 'ingest' : isOperatorPath(path) ? 'problem' : 'dsr';
};

type Places = Pick<StandaloneValues, 'HOST' | 'PORT_V1' | 'OPERATOR_PORT' | 'OPERATOR_URL'>;

/** Where the process answers. What has no port of its own is on the public one. */
function addressesOf(
  { HOST, PORT_V1, OPERATOR_PORT, OPERATOR_URL }: Places,
  { port, adminPort, furtherPorts }: Pick<RunningProcess, 'port' | 'adminPort' | 'furtherPorts'>,
) {
  const at = (number: number | undefined) => `http://${shownHost(HOST)}:${number}`;
  return {
    url: at(port),
    adminUrl: at(adminPort),
    urlV1: at(PORT_V1 === undefined ? port : furtherPorts[0]),
    operatorUrl: OPERATOR_URL ?? at(OPERATOR_PORT === undefined ? port : furtherPorts.at(-1)),
  };
}

const linkTo = (url: string, token: string | undefined) => (token === undefined ? undefined : { url, token });

type SandboxValues = Pick<StandaloneValues, 'TIMING_PROFILE' | 'DATA_DIR' | 'SANDBOX_KEY' | 'SANDBOX_SECRET'>;

/** The credentials of the sandbox; none in production. */
const sandboxOf = async ({ TIMING_PROFILE, DATA_DIR, SANDBOX_KEY, SANDBOX_SECRET }: SandboxValues) =>
  TIMING_PROFILE === 'sandbox' ? sandboxCredentials(DATA_DIR, { key: SANDBOX_KEY, secret: SANDBOX_SECRET }) : undefined;

/** Embedded stores hold the data folder by themselves; beside real servers a sandbox has its secrets in it. */
async function openHeldStores(values: StandaloneValues, host: Host): Promise<OpenStores> {
  if (storesOf(values).kind === 'embedded' || values.TIMING_PROFILE !== 'sandbox')
    return openStores(values, 'standalone', host);
  const held = lockDirectory(values.DATA_DIR);
  const stores = await openStores(values, 'standalone', host);
  return { ...stores, closing: [...stores.closing, { name: 'data folder', run: () => held.release() }] };
}

void main({
  name: 'standalone',
  meaning: 'all five services in one process, on embedded stores unless real servers are named',
  table: standaloneTable,
  check: checkStandalone,
  run: async (values, host) => {
    const clock = systemClock;
    const now = () => clock.now().getTime();
    // First: only one process may create secrets in the data folder.
    const stores = await openHeldStores(values, host);
    const { storage, events } = stores;
    const { keys, signing, logSigner, authorityFile, receiver } = await openSecrets(values, {
      clock,
      log: host.log,
      waitFor: host.waitFor,
    });
    const sandbox = await sandboxOf(values);
    const { vault, linkKeys, seal } = await host.waitFor('keys', async () =>
      openVault(await storage.database('keys'), keys, now, events.publisher),
    );
    const rotation = openRotation(await storage.database('keys'), keys, rotationTimes(values), now);
    const workspaces = await host.waitFor('workspaces', async () =>
      openWorkspaces(await storage.database('workspaces'), vault, seal, now),
    );
    const participants = new Participants(await storage.database('workspaces'), seal, now);
    const operator = await openOperatorPlatform(values, { clock, log: host.log, seal, mayLink: true, authorityFile });
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
    const own = ownProcessOf(host);
    const mounted = {
      ...values,
      SANDBOX_KEY: sandbox?.key,
      SANDBOX_SECRET: sandbox?.secret,
      // Receivers of the sandbox, such as the demo's, carry certificates of its own authority.
      CALLBACK_CA_FILE: values.CALLBACK_CA_FILE ?? authorityFile,
    };
    const services = await mountAll(platform, mounted, own);
    if (operator?.hasFirstRun)
      services.push(...(await mountFirstRun({ credentials: sandbox, certificate: receiver, clock })));
    const running = await serveOnStores(values, host, stores, {
      services,
      own,
      publicPort: values.PORT,
      furtherListeners: furtherListeners(values),
      publishes: Object.values(TOPICS),
      prepare: [tombstonesStep(vault, events, host.log)],
      processParts: [signingParts(signing, values, host.log)],
      errorStyle: errorStyleOf,
    });
    const { urlV1, operatorUrl, ...addresses } = addressesOf(values, running);
    process.stdout.write(
      banner({
        ...addresses,
        operatorLink: linkTo(operatorUrl, operator?.link?.token),
        ...{ stores: storesOf(values), profile: values.TIMING_PROFILE },
        urlV1: signing.signers.v1 && urlV1,
        sandbox: sandbox && { ...sandbox, authorityFile },
      }),
    );
    return running;
  },
});
