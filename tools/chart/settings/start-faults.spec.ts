import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSandboxAuthority } from '@opendsr-service/signing';
import { GOLDENS, goldenObjects, type Golden } from '../goldens';
import { manifestsOf, workloads, type Manifest } from '../manifest';
import { APPS } from './apps';
import { startFaults } from './start-faults';

let root: string;
let pem: string;

beforeAll(async () => {
  const { keyPem, certPem } = await makeSandboxAuthority({ commonName: 'stores', days: 1, now: new Date() });
  pem = `${keyPem}${certPem}`;
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'opendsr-chart-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const faultsOf = (objects: readonly Manifest[]) =>
  workloads(objects).flatMap((workload) =>
    workload.pod.containers.flatMap((container) => startFaults(workload, container, { root, pem })),
  );

const variables: Readonly<Record<string, string>> = {
  KAFKA_BROKERS: 'k:9092',
  MONGODB_URI: 'mongodb://m',
  MASTER_KEY_FILE: '/secrets/key',
};
const planted = (env: Readonly<Record<string, string>>, { app = 'request', path = 'key' } = {}) =>
  manifestsOf(
    JSON.stringify({
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: {
        template: {
          spec: {
            containers: [
              {
                name: 'c',
                args: [app],
                env: Object.entries(env).map(([name, value]) => ({ name, value })),
                volumeMounts: [{ name: 'v', mountPath: '/secrets' }],
              },
            ],
            volumes: [{ name: 'v', secret: { secretName: 's', items: [{ key: 'k', path }] } }],
          },
        },
      },
    }),
  );

it('finds nothing wrong where an app starts', () => {
  expect(faultsOf(planted(variables))).toEqual([]);
});

it.each([
  [
    'a variable that the app does not read',
    planted({ ...variables, RESULTS_URL: 'http://results:9090' }),
    'RESULTS_URL is no setting of this app',
  ],
  ['a value that it refuses', planted({ ...variables, LOG_LEVEL: 'loud' }), 'LOG_LEVEL: must be debug or info'],
  [
    'something that it cannot do without',
    planted({ KAFKA_BROKERS: 'k:9092', MONGODB_URI: 'mongodb://m' }),
    'MASTER_KEY_FILE: must be set',
  ],
  [
    'a file where nothing is mounted',
    planted({ ...variables, MASTER_KEY_FILE: '/secret/key' }),
    'MASTER_KEY_FILE names /secret/key, where nothing is mounted',
  ],
  [
    'a file that the volume does not hold',
    planted(variables, { path: 'other' }),
    'MASTER_KEY_FILE names /secrets/key, where nothing is mounted',
  ],
  ['an app that does not exist', planted(variables, { app: 'requests' }), 'the image runs nothing by requests'],
])('refuses %s', (_what, objects, fault) => {
  expect(faultsOf(objects)).toContainEqual(expect.stringContaining(fault));
});

const five = [...Object.keys(APPS), 'dsr api check'];
const STARTED: Readonly<Record<Golden, string[]>> = {
  minimal: five,
  production: five,
  everything: [...five, 'dsr topics apply', 'dsr projections verify --json'],
  standalone: ['standalone', 'dsr api check', 'dsr projections verify --json'],
};

it.each(GOLDENS)('starts each app with what the chart gives it by %s values', (golden) => {
  const objects = goldenObjects(golden);
  const started = workloads(objects).flatMap(({ pod }) => pod.containers.map(({ args = [] }) => args.join(' ')));
  expect(started.map((words) => words.replace(/(?<=api check) .*/, '')).sort()).toEqual(STARTED[golden].sort());
  expect(faultsOf(objects)).toEqual([]);
});
