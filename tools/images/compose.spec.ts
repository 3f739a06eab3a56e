import { readdirSync, readFileSync } from 'node:fs';
import { callbackDispatcherTable } from '@opendsr-service/callback-dispatcher/config';
import { gatewayTable } from '@opendsr-service/gateway/config';
import { ingestionTable } from '@opendsr-service/ingestion/config';
import { requestTable } from '@opendsr-service/request/config';
import { resultsTable } from '@opendsr-service/results/config';
import {
  processSettings,
  signingSettings,
  storeSettings,
  generationSettings,
  masterKeySettings,
  timingSettings,
} from '@opendsr-service/config';
import { parse } from 'yaml';
import { repository } from '../e2e/repository';

type Ends = 'service_healthy' | 'service_completed_successfully';

interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly privileged?: boolean;
  readonly user?: string;
  readonly tmpfs?: unknown;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: unknown };
  readonly depends_on?: Readonly<Record<string, { readonly condition: Ends }>>;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const text = (name: string) => readFileSync(repository('docker', name), 'utf8');
const read = (name: string) => parse(text(name), { merge: true }) as ComposeFile;
const five = read('compose.yaml');
const alone = read('compose.standalone.yaml');
const { version } = JSON.parse(readFileSync(repository('package.json'), 'utf8')) as { version: string };
const ours = `\${OPENDSR_IMAGE:-ghcr.io/opendsr/opendsr-service:${version}}`;

const apps = {
  gateway: gatewayTable,
  request: requestTable,
  'callback-dispatcher': callbackDispatcherTable,
  results: resultsTable,
  ingestion: ingestionTable,
} as const;
const cliTable = {
  ...storeSettings,
  ...masterKeySettings,
  ...generationSettings,
  ...timingSettings('sandbox'),
  ...signingSettings,
};
// Standalone has the settings of all of them.
const tables: Readonly<Record<string, object>> = {
  ...apps,
  dsr: cliTable,
  standalone: Object.assign({}, ...Object.values(apps)) as object,
};

const containers = [five, alone].flatMap(({ services }) =>
  Object.entries(services).map(([name, service]) => ({ name, ...service })),
);
const containersOfOurs = containers.filter(({ image }) => image === ours);
const once = ['replica-set', 'secrets', 'topics', 'workspace'];

it('compose.yaml runs all five services, each as the app of its name; compose.standalone.yaml is one container with one volume', () => {
  for (const app of Object.keys(apps))
    expect(five.services[app]).toMatchObject({ image: ours, command: [app], restart: 'unless-stopped' });
  expect([Object.keys(alone.services), Object.keys(alone.volumes), alone.services.standalone?.volumes]).toEqual([
    ['standalone'],
    ['data'],
    ['data:/data'],
  ]);
});

it('every image can be another by a variable, and none is the latest', () => {
  expect(
    containers
      .map(({ image }) => image)
      .filter((image) => !/^\$\{(OPENDSR|KAFKA|MONGODB)_IMAGE:-[a-z./-]+:\d[\w.-]*\}$/.test(image)),
  ).toEqual([]);
});

it.each(containersOfOurs)(
  '$name has no rights, writes nothing but volumes, and runs as the user of the image',
  (container) => {
    expect(container).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect([container.cap_add, container.privileged, container.user, container.tmpfs]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(container.volumes?.filter((volume) => !/^(data|secrets|generations|scratch):/.test(volume)) ?? []).toEqual(
      [],
    );
  },
);

it.each(containersOfOurs)('$name is given no setting that it does not have', ({ command = [], environment = {} }) => {
  const table = tables[command[0] === '--help' ? 'dsr' : (command[0] ?? '')];
  expect(table).toBeDefined();
  expect(Object.keys(environment).filter((name) => !(name in { ...table, ...processSettings }))).toEqual([]);
});

it('secrets come by file: no setting of a container holds one, and no service may write them', () => {
  expect(
    containers
      .flatMap(({ environment = {} }) => Object.keys(environment))
      .filter((name) => /SECRET|PASSWORD|(KEY|TOKEN)$/.test(name)),
  ).toEqual([]);
  expect(
    containersOfOurs.flatMap(({ name, volumes = [] }) =>
      volumes.filter((volume) => volume.startsWith('secrets:') && !volume.endsWith(':ro')).map(() => name),
    ),
  ).toEqual(['secrets']);
});

it('secrets of key generations lie in a volume of their own, for all that open keys; gateway and workspace alone may write them', () => {
  const mounted = Object.entries(five.services).flatMap(([name, { environment = {}, volumes = [] }]) => {
    const folder = environment['KEY_GENERATION_FOLDER'] ?? 'nowhere';
    return volumes
      .filter((volume) => volume.startsWith('generations:'))
      .map((volume) => [name, volume.replace(`generations:${folder}`, 'folder')]);
  });
  expect(mounted).toEqual([
    ...['workspace', 'gateway'].map((name) => [name, 'folder']),
    ...['callback-dispatcher', 'results', 'ingestion', 'dsr'].map((name) => [name, 'folder:ro']),
  ]);
});

it('Kafka is broker and controller, MongoDB a replica set member; both store data in volumes and report health', () => {
  const { kafka, mongodb } = five.services;
  expect(kafka?.environment).toMatchObject({
    KAFKA_PROCESS_ROLES: 'broker,controller',
    KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
    KAFKA_LOG_DIRS: '/var/lib/kafka/data',
  });
  expect(mongodb?.command).toEqual(expect.arrayContaining(['--replSet', 'rs0']));
  expect([kafka?.volumes, mongodb?.volumes]).toEqual([['kafka:/var/lib/kafka/data'], ['mongodb:/data/db']]);
  expect(Object.keys(five.volumes).sort()).toEqual(['generations', 'kafka', 'mongodb', 'scratch', 'secrets']);
  for (const server of [kafka, mongodb])
    expect(server?.healthcheck?.test).toEqual([
      'CMD',
      'bash',
      '-c',
      expect.stringMatching(/^<\/dev\/tcp\/localhost\/\d+$/),
    ]);
});

it('what is published is published on this machine alone', () => {
  const published = containers.flatMap(({ ports = [] }) => ports);
  expect(published).toHaveLength(4);
  expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
});

it.each(readdirSync(repository('docker')).filter((name) => /^compose.*\.yaml$/.test(name)))(
  '%s has no variable inside of another, which Compose 1 would take as text',
  (name) => {
    expect(text(name)).toContain('${');
    expect(text(name)).not.toMatch(/\$\{[^}]*\$\{/);
  },
);

it('the console is on: of five services at a port that is published, alone at that of the sandbox', () => {
  const { environment, ports } = five.services.gateway!;
  expect(environment).toMatchObject({
    OPERATOR_PORT: '${OPERATOR_PORT-8083}',
    OPERATOR_URL: 'http://localhost:${OPENDSR_OPERATOR_PORT:-8083}',
  });
  expect(ports).toContain('127.0.0.1:${OPENDSR_OPERATOR_PORT:-8083}:8083');
  expect(alone.services.standalone?.environment).toMatchObject({
    TIMING_PROFILE: '${TIMING_PROFILE:-sandbox}',
    OPERATOR_URL: 'http://localhost:${OPENDSR_PORT:-8080}',
  });
});

it('services start after the topics, the secrets and the servers; the gateway after the sandbox workspace', () => {
  const after = (name: string): string[] =>
    Object.keys(five.services[name]?.depends_on ?? {}).flatMap((needed) => [needed, ...after(needed)]);
  for (const app of Object.keys(apps))
    expect(after(app)).toEqual(expect.arrayContaining(['topics', 'secrets', 'kafka', 'replica-set', 'mongodb']));
  expect(after('gateway')).toContain('workspace');
  // It makes the first key generation, in a volume that these cannot write.
  for (const app of ['callback-dispatcher', 'results', 'ingestion']) expect(after(app)).toContain('gateway');
});

it('waits for the end of what runs once, and for the health of everything else', () => {
  const waits = containers.flatMap(({ depends_on: needs = {} }) => Object.entries(needs));
  for (const [needed, { condition }] of waits)
    expect([needed, condition]).toEqual([
      needed,
      once.includes(needed) ? 'service_completed_successfully' : 'service_healthy',
    ]);
  for (const name of once) expect(five.services[name]?.restart).toBe('no');
  expect(
    containers.filter(({ name, healthcheck }) => healthcheck?.disable === true && ![...once, 'dsr'].includes(name)),
  ).toEqual([]);
});
