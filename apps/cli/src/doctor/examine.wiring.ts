import { join } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import { egressPolicyOf, keySourceOf, storesOf, witnessesOf } from '@opendsr-service/config';
import { SERVICE_NAMES, type ServiceName } from '@opendsr-service/operator-answers';
import type { OpenStores } from '@opendsr-service/service';
import { type Terminal } from '../command';
import { databasesOf } from '../db/databases';
import { withStores } from '../db/stores.wiring';
import { certificateFindings } from './certificate-checks';
import { configurationFindings } from './configuration';
import { callbackTls } from './callback-tls.config';
import { doctorSettings, type DoctorSettings, type StoreSettings } from './doctor-settings';
import { reachFinding, rulesFinding } from './egress.client';
import { checkOf, findingsOf, unchecked, type Check, type Finding } from './finding';
import { findingsInside, type Opening } from './findings-inside';
import { folderFindings } from './folder-checks';
import { kafkaChecks, topicFindings } from './kafka-checks';
import { masterKeyFindings } from './master-key-checks';
import { serviceFindings } from './services.client';
import { sandboxCheck, serverFindings, storeChecks } from './store-checks';
import { suspicions } from './suspicions';
import { logKeyFindings, witnessFindings } from './transparency-checks';

/** Those that have the certificates, the rules for callback URLs and the public addresses. */
const SIGNING: readonly ServiceName[] = ['gateway', 'callback-dispatcher'];

const KEYS = 'keys';
const WORKSPACES = 'workspaces';

/** The checks that the options add. */
interface ChosenChecks {
  readonly of: readonly ServiceName[];
  readonly to: URL | undefined;
  readonly services: readonly URL[];
  readonly trustPem: string | undefined;
}

/** Runs all checks for the stores of this configuration, as far as it can be read. */
export async function examine(terminal: Terminal, chosen: ChosenChecks): Promise<readonly Finding[]> {
  const settings = doctorSettings(terminal);
  const { stores, addresses, egress, faults: own } = settings;
  const kind = stores && storesOf(stores).kind;
  const services = kind === 'embedded' ? SERVICE_NAMES : chosen.of;
  const signs = services.some((name) => SIGNING.includes(name));
  const asked = { services: chosen.of, alone: kind === 'servers', own };
  const before: readonly Check[] = [
    { name: 'configuration', run: () => configurationFindings(terminal, asked) },
    ...(stores && kind === 'servers'
      ? [
          {
            name: 'configuration',
            run: () => Promise.resolve(suspicions(stores, { addresses: signs ? addresses : undefined, egress })),
          },
          ...kafkaChecks(stores, { services, now: terminal.now }),
        ]
      : []),
  ];
  const after: readonly Check[] = [
    ...(signs
      ? [
          { name: 'certificates', run: () => certificateFindings(terminal, chosen.trustPem) },
          checkOf('egress', egress, (read) => [rulesFinding(egressPolicyOf(read))]),
        ]
      : []),
    ...receiverChecks(terminal, settings, chosen.to),
    ...chosen.services.map((admin) => ({
      name: `service ${admin.host}`,
      run: () => serviceFindings(admin, terminal.now),
    })),
  ];
  return [
    ...(await findingsOf(before)),
    ...(await ofStores(terminal, settings, services)),
    ...(await findingsOf(after)),
  ];
}

/** Checks what the stores hold of these services, if they can be opened. */
async function ofStores(
  terminal: Terminal,
  settings: DoctorSettings,
  services: readonly ServiceName[],
): Promise<readonly Finding[]> {
  const { stores } = settings;
  if (!stores) return [unchecked('stores')];
  const onServers = storesOf(stores).kind === 'servers';
  const names = (await databasesOf(services)).map(({ name }) => name);
  // Where there is none to write to in `keys`: the user of the request service has no right there.
  const [writable = KEYS] = names.includes(KEYS) ? [] : names;
  const opening: Opening<OpenStores> = {
    ...(onServers ? { name: 'mongodb', needs: 'MongoDB' } : { name: 'stores' }),
    open: (work) => withStores(terminal, work),
  };
  return findingsInside(opening, ({ storage, events }) => {
    const secrets = [
      ...(names.includes(WORKSPACES) && stores.TIMING_PROFILE === 'production'
        ? [sandboxCheck(storage, terminal.now)]
        : []),
      ...(names.includes(KEYS) ? [masterKeyCheck(terminal, storage, settings, stores)] : []),
      ...(services.includes('gateway') ? logChecks(terminal, storage, settings, stores) : []),
    ];
    if (onServers)
      return [
        { name: 'mongodb', run: async () => serverFindings(await storage.database(writable), terminal.now) },
        ...storeChecks(storage, services),
        ...secrets,
      ].map((check) => ({ ...check, needs: 'MongoDB' }));
    const topics = async () =>
      topicFindings(await events.topics.compare(Object.values(TOPICS), { replication: 1, minIsr: 1 }));
    return [
      { name: 'data folder', run: () => folderFindings(stores.DATA_DIR, terminal.files) },
      { name: 'topics', run: topics },
      ...storeChecks(storage, services),
      ...secrets,
    ];
  });
}

function masterKeyCheck(
  { files }: Terminal,
  storage: OpenStores['storage'],
  { keys }: DoctorSettings,
  stores: StoreSettings,
): Check {
  const mayLack = storesOf(stores).kind === 'servers';
  return checkOf('master key', keys, (read) =>
    masterKeyFindings(storage, mayLack && !read.MASTER_KEY_FILE ? undefined : keySourceOf(read), files),
  );
}

/** The transparency log: its key, and its witnesses. */
function logChecks(
  { files, now }: Terminal,
  storage: OpenStores['storage'],
  { transparency }: DoctorSettings,
  stores: StoreSettings,
): readonly Check[] {
  const ownKey = storesOf(stores).kind === 'servers' ? undefined : join(stores.DATA_DIR, 'keys', 'transparency.key');
  return [
    checkOf('log key', transparency, (read) => logKeyFindings(read.TRANSPARENCY_KEY_FILE ?? ownKey, files)),
    checkOf('witnesses', transparency, (read) =>
      witnessFindings(
        storage,
        witnessesOf(read).map(({ verifier }) => verifier),
        now(),
      ),
    ),
  ];
}

function receiverChecks(terminal: Terminal, { stores, egress }: DoctorSettings, to: URL | undefined): readonly Check[] {
  if (!to) return [];
  const sandboxDir = stores && storesOf(stores).kind === 'embedded' ? stores.DATA_DIR : undefined;
  return [
    checkOf('egress', egress, async (read) => [
      await reachFinding(to, egressPolicyOf(read), await callbackTls(terminal, sandboxDir)),
    ]),
  ];
}
