import { join } from 'node:path';
import { callbackDispatcherTable } from '@opendsr-service/callback-dispatcher/config';
import { gatewayTable } from '@opendsr-service/gateway/config';
import { ingestionTable } from '@opendsr-service/ingestion/config';
import { openLog } from '@opendsr-service/messaging';
import { requestTable } from '@opendsr-service/request/config';
import { resultsTable } from '@opendsr-service/results/config';
import { processSettings, readSettings, signerSources } from '@opendsr-service/config';
import { createLogger, systemClock } from '@opendsr-service/service';
import { ensureSandboxCertificates, openSigning } from '@opendsr-service/signing';
import { openStorage } from '@opendsr-service/storage';
import { ensureLogKey, ensureMasterKey, GenerationFiles, openRotation, openVault } from '@opendsr-service/vault';
import { openWorkspaces, Participants } from '@opendsr-service/workspaces';

/** Nobody listens there: an offer fails at once. */
const WITNESS = 'witness.example/w1+d9ed62c5+BO1JKMYo0cLG6ukDOJBZlWEpWSc6XGP5NjbBRhSshzfR http://127.0.0.1:1';

/** Ports that are free, and stores that are asked at once. */
export const settings = readSettings(
  {
    ...gatewayTable,
    ...requestTable,
    ...callbackDispatcherTable,
    ...resultsTable,
    ...ingestionTable,
    ...processSettings,
  },
  {
    ...{ HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0', METRICS_INTERVAL_MS: '50ms', STOP_DELAY_MS: '0' },
    TRANSPARENCY_WITNESSES: WITNESS,
  },
);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The shared parts of the services of a process, on embedded stores in a folder, as in the standalone app. */
export async function openPlatform(folder: string) {
  const clock = systemClock;
  const now = () => clock.now().getTime();
  const log = createLogger('metrics', 'error');
  const storage = await openStorage({ dataDir: folder });
  const events = await openLog({ embedded: { file: join(folder, 'log.db') } });
  const masterKey = await ensureMasterKey(join(folder, 'master.key'));
  const certificates = await ensureSandboxCertificates(join(folder, 'certificates'), {
    domainV2: settings.PROCESSOR_DOMAIN_V2,
    domainV1: settings.PROCESSOR_DOMAIN_V1,
    now: clock.now(),
  });
  const signing = await openSigning(signerSources(settings, certificates), { clock, log });
  const keys = { masterKey, generations: new GenerationFiles(join(folder, 'generations'), masterKey) };
  const database = await storage.database('keys');
  const { vault, linkKeys, seal } = await openVault(database, keys, now, events.publisher);
  const connection = await storage.database('workspaces');
  const workspaces = await openWorkspaces(connection, vault, seal, now);
  const participants = new Participants(connection, seal, now);
  return {
    storage,
    events,
    signing,
    signers: signing.signers,
    beforeRenewal: signing.beforeRenewal,
    logSigner: await ensureLogKey(join(folder, 'transparency.key'), 'log'),
    vault,
    rotation: openRotation(database, keys, { everyMs: DAY_MS, keepMs: HOUR_MS }, now),
    linkKeys,
    seal,
    workspaces,
    participants,
    clock,
    log,
    serviceTokens: () => Promise.resolve([]),
  };
}

export type Platform = Awaited<ReturnType<typeof openPlatform>>;
