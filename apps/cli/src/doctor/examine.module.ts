import { join } from 'node:path';
import { TOPICS } from '@opendsr-service/contracts';
import { egressPolicyOf, keySourceOf, storesOf, witnessesOf } from '@opendsr-service/config';
import type { OpenStores } from '@opendsr-service/service';
import { type Terminal } from '../command';
import { withStores } from '../db/stores.module';
import { certificateFindings } from './certificate-checks';
import { configurationFindings, type ServiceName } from './configuration';
import { callbackTls } from './callback-tls.config';
import { doctorValues, type DoctorValues } from './doctor-settings';
import { reachFinding, rulesFinding } from './egress.client';
import { findingsOf, type Check, type Finding } from './finding';
import { findingsInside, type Opening } from './findings-inside';
import { folderFindings } from './folder-checks';
import { kafkaChecks, topicFindings } from './kafka-checks';
import { masterKeyFindings } from './master-key-checks';
import { serviceFindings } from './services.client';
import { serverFindings, storeChecks } from './store-checks';
import { suspicions } from './suspicions';
import { logKeyFindings, witnessFindings } from './transparency-checks';

/** Those that have the certificates, the rules for callback URLs and the public addresses. */
const SIGNING: readonly ServiceName[] = ['gateway', 'callback-dispatcher'];

/** The checks that the options add. */
interface ChosenChecks {
  readonly of: readonly ServiceName[];
  readonly to: URL | undefined;
  readonly services: readonly URL[];
  readonly trustPem: string | undefined;
}

/** Runs all checks for the stores of this configuration. Throws a ConfigurationError if these are unknown. */
export async function examine(terminal: Terminal, chosen: ChosenChecks): Promise<readonly Finding[]> {
  const values = doctorValues(terminal);
  const onServers = storesOf(values).kind === 'servers';
  const signs = !onServers || chosen.of.some((name) => SIGNING.includes(name));
  const configuration = { name: 'configuration', run: () => configurationFindings(terminal, chosen.of, onServers) };
  const before: readonly Check[] = [
    configuration,
    ...(onServers
      ? [
          { name: 'configuration', run: () => Promise.resolve(suspicions(values, { signs })) },
          ...kafkaChecks(values, terminal.now),
        ]
      : []),
  ];
  const after: readonly Check[] = [
    ...(signs
      ? [
          { name: 'certificates', run: () => certificateFindings(terminal, chosen.trustPem) },
          { name: 'egress', run: () => Promise.resolve([rulesFinding(egressPolicyOf(values))]) },
        ]
      : []),
    ...receiverChecks(terminal, values, chosen.to),
    ...chosen.services.map((admin) => ({
      name: `service ${admin.host}`,
      run: () => serviceFindings(admin, terminal.now),
    })),
  ];
  return [
    ...(await findingsOf(before)),
    ...(await ofStores(terminal, values, onServers)),
    ...(await findingsOf(after)),
  ];
}

/** Checks the content of the stores if they can be opened. */
function ofStores(terminal: Terminal, values: DoctorValues, onServers: boolean): Promise<readonly Finding[]> {
  const opening: Opening<OpenStores> = {
    ...(onServers ? { name: 'mongodb', needs: 'MongoDB' } : { name: 'stores' }),
    open: (work) => withStores(terminal, work),
  };
  return findingsInside(opening, ({ storage, events }) => {
    const masterKey = {
      name: 'master key',
      run: () =>
        masterKeyFindings(
          storage,
          onServers && !values.MASTER_KEY_FILE ? undefined : keySourceOf(values),
          terminal.files,
        ),
    };
    const logKeyFile =
      values.TRANSPARENCY_KEY_FILE ?? (onServers ? undefined : join(values.DATA_DIR, 'keys', 'transparency.key'));
    const witnesses = witnessesOf(values).map(({ verifier }) => verifier);
    const transparency: readonly Check[] = [
      { name: 'log key', run: () => logKeyFindings(logKeyFile, terminal.files) },
      { name: 'witnesses', run: () => witnessFindings(storage, witnesses, terminal.now()) },
    ];
    const embedded: readonly Check[] = [
      { name: 'data folder', run: () => folderFindings(values.DATA_DIR, terminal.files) },
      {
        name: 'topics',
        run: async () =>
          topicFindings(await events.topics.compare(Object.values(TOPICS), { replication: 1, minIsr: 1 })),
      },
    ];
    if (!onServers) return [...embedded, ...storeChecks(storage), masterKey, ...transparency];
    const server = { name: 'mongodb', run: () => serverFindings(storage, terminal.now) };
    return [server, ...storeChecks(storage), masterKey, ...transparency].map((check) => ({
      ...check,
      needs: 'MongoDB',
    }));
  });
}

function receiverChecks(terminal: Terminal, values: DoctorValues, to: URL | undefined): readonly Check[] {
  if (!to) return [];
  const sandboxDir = storesOf(values).kind === 'embedded' ? values.DATA_DIR : undefined;
  const run = async () => [await reachFinding(to, egressPolicyOf(values), await callbackTls(terminal, sandboxDir))];
  return [{ name: 'egress', run }];
}
