import { readFileSync } from 'node:fs';
import { repository } from '../../e2e/repository';
import { goldenObjects, type Golden } from '../goldens';
import { ofKind, type Manifest } from '../manifest';
import type { Endpoint, Port } from './evaluate';
import { addressOf, flows, ownPods, podOf } from './flows';
import { representative } from '../../testing/form';

const APPS = ['gateway', 'request', 'callback-dispatcher', 'results', 'ingestion'];
const PUBLIC = ['93.184.215.14', '2606:2800:21f:cb07::1'];
const REFUSED = [
  '10.0.0.5',
  '172.16.9.9',
  '192.168.1.1',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '168.63.129.16',
  '::1',
  'fd00::1',
  'fe80::1',
  '::ffff:10.0.0.5',
  '64:ff9b::a00:5',
];

const PORTS: readonly Port[] = [
  ...[
    53, 80, 443, 5353, 4318, 6443, 7380, 8080, 8081, 8083, 8200, 8443, 9090, 9092, 9093, 9094, 9443, 10_250, 27_017,
    27_018,
  ].map((number) => ({ number, protocol: 'TCP' }) as const),
  ...[53, 443, 5353].map((number) => ({ number, protocol: 'UDP' }) as const),
];

/** Everybody who may have to do with the release, or would like to. */
const others = (dnsNamespace: string): Endpoint[] => [
  podOf('ingress', '10.244.1.1', 'ingress', { app: 'controller' }),
  podOf('prometheus', '10.244.1.2', 'monitoring', { 'app.kubernetes.io/name': 'prometheus' }),
  podOf('participant', '10.244.1.3', 'warehouse', { app: 'warehouse' }),
  podOf('dns', '10.244.1.4', dnsNamespace, { 'k8s-app': 'kube-dns' }),
  podOf('mongodb', '10.244.1.5', 'mongodb', { app: 'mongodb' }),
  podOf('collector', '10.244.1.9', 'traces', { app: 'collector' }),
  podOf('operators', '10.244.1.10', 'operators', { app: 'proxy' }),
  podOf('key service', '10.244.1.11', 'vault', { app: 'vault' }),
  podOf('neighbour', '10.244.1.6', 'privacy', { app: 'other' }),
  podOf('other release', '10.244.1.7', 'privacy', {
    'app.kubernetes.io/name': 'opendsr-service',
    'app.kubernetes.io/instance': 'other',
    'app.kubernetes.io/component': 'gateway',
  }),
  podOf('stranger', '10.244.1.8', 'default', {
    'app.kubernetes.io/name': 'opendsr-service',
    'app.kubernetes.io/instance': 'dsr',
    'app.kubernetes.io/component': 'gateway',
  }),
  addressOf('10.30.0.5', 'kafka'),
  addressOf('198.51.100.7', 'witness'),
  ...[...PUBLIC, ...REFUSED, '10.40.0.9', '10.50.0.7', '10.60.0.9'].map((ip) => addressOf(ip)),
];

const isHook = ({ metadata }: Pick<Manifest, 'metadata'>): boolean =>
  metadata.annotations?.['helm.sh/hook'] !== undefined;

/** What may pass outside of a run of `helm test`, whose policies exist only then. */
const allowed = (golden: Golden, { dns = 'kube-system', isTested = false } = {}) => {
  const objects = goldenObjects(golden);
  const policies = ofKind(
    objects.filter((object) => isTested || !isHook(object)),
    'NetworkPolicy',
  );
  return flows(policies, ownPods(objects), others(dns), PORTS);
};

const added = (golden: Golden, dns?: string) => {
  const before = new Set(allowed(golden, { ...(dns && { dns }) }));
  return allowed(golden, { ...(dns && { dns }), isTested: true }).filter((flow) => !before.has(flow));
};

const each = (of: (app: string) => readonly string[]) => APPS.flatMap(of);

/** What every installation has. */
const inside = [
  'gateway > results 9090/TCP',
  'results > ingestion 9090/TCP',
  'ingress > gateway 8080/TCP',
  'ingress > gateway 8081/TCP',
  'ingress > ingestion 8080/TCP',
];

it('allows exactly the flows of the service, and no other, with production values', () => {
  expect(allowed('production')).toEqual(
    [
      ...inside,
      ...each((app) => [
        `${app} > kafka 9093/TCP`,
        `${app} > mongodb 27017/TCP`,
        `${app} > dns 53/UDP`,
        `${app} > dns 53/TCP`,
        `prometheus > ${app} 9090/TCP`,
      ]),
      ...PUBLIC.map((ip) => `callback-dispatcher > ${ip} 443/TCP`),
    ].sort(),
  );
});

it('allows exactly what the values say beside them, with everything set', () => {
  expect(allowed('everything', { dns: 'openshift-dns' })).toEqual(
    [
      ...inside,
      'participant > gateway 9090/TCP',
      'operators > gateway 8083/TCP',
      ...['request', 'callback-dispatcher', 'ingestion'].map((app) => `gateway > ${app} 9090/TCP`),
      'gateway > 10.60.0.9 8443/TCP',
      ...each((app) => [
        `${app} > mongodb 27017/TCP`,
        `${app} > mongodb 27018/TCP`,
        `${app} > collector 4318/TCP`,
        `prometheus > ${app} 9090/TCP`,
      ]),
      ...[...APPS, 'operator'].map((app) => `${app} > key service 8200/TCP`),
      ...[443, 7380].map((port) => `gateway > witness ${port}/TCP`),
      'operator > mongodb 27017/TCP',
      'operator > mongodb 27018/TCP',
      ...each((app) => [`operator > ${app} 9090/TCP`]),
      'operator > gateway 8080/TCP',
      ...[...APPS, 'topics', 'operator'].flatMap((name) => [
        `${name} > kafka 9093/TCP`,
        `${name} > kafka 9094/TCP`,
        `${name} > dns 5353/UDP`,
        `${name} > dns 5353/TCP`,
      ]),
      ...[...PUBLIC, '10.40.0.9'].flatMap((ip) => [
        `callback-dispatcher > ${ip} 443/TCP`,
        `callback-dispatcher > ${ip} 8443/TCP`,
      ]),
      'callback-dispatcher > 10.50.0.7 9443/TCP',
    ].sort(),
  );
});

it('without addresses of the stores only the callback-dispatcher reaches the internet, and none of our own network', () => {
  // Pods then reach Kafka and MongoDB anywhere on their ports only, and callers reach the public ports from anywhere.
  const stores = /> .+ (9092|27017)\/TCP$/;
  const callers = /> (gateway|ingestion) 8080\/TCP$/;
  const rest = allowed('minimal').filter((flow) => !stores.test(flow) && !callers.test(flow));
  expect(rest).toEqual(
    [
      'gateway > results 9090/TCP',
      'results > ingestion 9090/TCP',
      ...each((app) => [`${app} > dns 53/UDP`, `${app} > dns 53/TCP`]),
      ...PUBLIC.map((ip) => `callback-dispatcher > ${ip} 443/TCP`),
    ].sort(),
  );
});

it('in one pod: callers, operators, Prometheus, participants and the Job come in, and names, callbacks and sign-ins go out', () => {
  expect(allowed('standalone')).toEqual(
    [
      'ingress > standalone 8080/TCP',
      'ingress > standalone 8081/TCP',
      'prometheus > standalone 9090/TCP',
      'participant > standalone 9090/TCP',
      'operators > standalone 8083/TCP',
      'standalone > 10.60.0.9 8443/TCP',
      'operator > standalone 9090/TCP',
      ...['standalone', 'operator'].flatMap((name) => [`${name} > dns 53/UDP`, `${name} > dns 53/TCP`]),
      ...[...PUBLIC, '10.40.0.9'].map((ip) => `standalone > ${ip} 443/TCP`),
    ].sort(),
  );
});

const testPods: readonly [Golden, string, readonly string[]][] = [
  ['production', 'kube-system', ['gateway 8080/TCP', 'gateway 8081/TCP', 'ingestion 8080/TCP']],
  ['everything', 'openshift-dns', ['gateway 8080/TCP', 'gateway 8081/TCP', 'ingestion 8080/TCP']],
  ['minimal', 'kube-system', ['gateway 8080/TCP', 'ingestion 8080/TCP']],
  ['standalone', 'kube-system', ['standalone 8080/TCP', 'standalone 8081/TCP']],
];
it.each(representative(testPods))(
  'lets the pod of `helm test` through to the public ports alone, and only while it runs: %s',
  (golden, dns, targets) => {
    const names = dns === 'openshift-dns' ? 5353 : 53;
    expect(added(golden, dns)).toEqual(
      [...targets, `dns ${names}/UDP`, `dns ${names}/TCP`].map((target) => `test > ${target}`).sort(),
    );
  },
);

/** The others in the words of the chart's README. */
const WORDS: Readonly<Record<string, string>> = {
  ingressFrom: 'ingress',
  monitoringFrom: 'prometheus',
  participantsFrom: 'participant',
  operatorsFrom: 'operators',
  'identityProvider.to': '10.60.0.9',
  'keyService.to': 'key service',
  'traces.to': 'collector',
  'witnesses.to': 'witness',
  'callbackDispatcher.allowCidrs': '10.40.0.9',
  'callbackEgress.rules': '10.50.0.7',
  'topics Job': 'topics',
  "operator's Job": 'operator',
  'pod of helm test': 'test',
};
const chart = (name: string): string => readFileSync(repository('docker/helm/opendsr-service', name), 'utf8');

function named(cell: string): string[] {
  return cell
    .replaceAll('`', '')
    .split(', ')
    .flatMap((word) => (word === 'all' ? APPS : word.startsWith('internet except ') ? PUBLIC : [WORDS[word] ?? word]))
    .map((name) => name.toLowerCase());
}

it('README of the chart: its table names exactly the pairs that may speak', () => {
  const [, table = ''] = /refused except:\n\n.+\n.+\n((?:\|.+\n)+)/.exec(chart('README.md')) ?? [];
  const pairs = table
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [, from = '', to = ''] = row.split('|').map((cell) => cell.trim());
      return named(from).flatMap((one) => named(to).map((other) => `${one} > ${other}`));
    });
  const speak = allowed('everything', { dns: 'openshift-dns', isTested: true }).map((flow) =>
    flow.replace(/ \S+$/, ''),
  );
  expect([...new Set(pairs)].sort()).toEqual([...new Set(speak)].sort());
});

it.each(['README.md', 'templates/NOTES.txt'])('%s names each peer that is anybody while no value names it', (page) => {
  const open = [...chart('values.yaml').matchAll(/^ {2}(\w+):\n {4}# -- [^\n]*Empty: anywhere/gm)].map(
    ([, name]) => name,
  );
  expect(open).toEqual(['kafka', 'mongodb', 'keyService', 'witnesses', 'identityProvider']);
  const text = page === 'README.md' ? (/^Name .+ are open to any address/m.exec(chart(page))?.[0] ?? '') : chart(page);
  expect(['ingressFrom', ...open.map((name) => `${name}.to`)].filter((name) => !text.includes(name))).toEqual([]);
});
