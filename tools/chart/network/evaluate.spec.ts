import { manifestsOf, ofKind } from '../manifest';
import { may, type Endpoint } from './evaluate';

const pod = (name: string, ip: string, namespace = 'n'): Endpoint => ({
  name,
  ip,
  pod: {
    namespace,
    namespaceLabels: { 'kubernetes.io/metadata.name': namespace },
    labels: { app: name },
    ports: { http: 8080 },
  },
});
const a = pod('a', '10.1.0.1');
const b = pod('b', '10.1.0.2');
const outside = { name: 'outside', ip: '203.0.113.7' };
const http = { number: 8080, protocol: 'TCP' } as const;

const policies = (...specs: readonly string[]) =>
  ofKind(
    specs.flatMap((spec) =>
      manifestsOf(
        `{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: p, namespace: n}, spec: ${spec}}`,
      ),
    ),
    'NetworkPolicy',
  );
const deny = '{podSelector: {}, policyTypes: [Ingress, Egress]}';
const out = (rule: string) => `{podSelector: {matchLabels: {app: a}}, policyTypes: [Egress], egress: [${rule}]}`;
const into = (rule: string) => `{podSelector: {matchLabels: {app: b}}, policyTypes: [Ingress], ingress: [${rule}]}`;

it('is open where no policy speaks of a pod', () => {
  expect(may([], a, b, http)).toBe(true);
  expect(may(policies(deny), pod('a', '10.1.0.1', 'm'), pod('b', '10.1.0.2', 'm'), http)).toBe(true);
});

it('is closed by a policy that allows nothing, both ways', () => {
  expect(may(policies(deny), a, b, http)).toBe(false);
  expect(may(policies(deny), a, outside, http)).toBe(false);
  expect(may(policies(deny), outside, b, http)).toBe(false);
});

it('needs the way out and the way in', () => {
  const toB = out('{to: [{podSelector: {matchLabels: {app: b}}}]}');
  const fromA = into('{from: [{podSelector: {matchLabels: {app: a}}}]}');
  expect(may(policies(deny, toB), a, b, http)).toBe(false);
  expect(may(policies(deny, fromA), a, b, http)).toBe(false);
  expect(may(policies(deny, toB, fromA), a, b, http)).toBe(true);
  expect(may(policies(deny, toB, fromA), b, a, http)).toBe(false);
});

const allOut = out('{}');
it.each([
  ['a port by number', '{ports: [{port: 8080}]}', true],
  ['a port by name of the pod that listens', '{ports: [{port: http}]}', true],
  ['a range of ports', '{ports: [{port: 8000, endPort: 8100}]}', true],
  ['another port', '{ports: [{port: 9090}]}', false],
  ['a name that the pod does not have', '{ports: [{port: admin}]}', false],
  ['another protocol', '{ports: [{port: 8080, protocol: UDP}]}', false],
  ['an empty list of peers, which is everybody', '{from: []}', true],
  ['a namespace by its label', '{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: n}}}]}', true],
  ['another namespace', '{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: m}}}]}', false],
  [
    'a pod in another namespace',
    '{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: m}}, podSelector: {}}]}',
    false,
  ],
  [
    'labels that are listed',
    '{from: [{podSelector: {matchExpressions: [{key: app, operator: In, values: [a, c]}]}}]}',
    true,
  ],
  [
    'labels that are not',
    '{from: [{podSelector: {matchExpressions: [{key: app, operator: NotIn, values: [a]}]}}]}',
    false,
  ],
  ['a label that is there', '{from: [{podSelector: {matchExpressions: [{key: app, operator: Exists}]}}]}', true],
  ['one that is not', '{from: [{podSelector: {matchExpressions: [{key: app, operator: DoesNotExist}]}}]}', false],
  ['its addresses', '{from: [{ipBlock: {cidr: 10.0.0.0/8}}]}', true],
  ['all addresses but its own', '{from: [{ipBlock: {cidr: 0.0.0.0/0, except: [10.1.0.0/24]}}]}', false],
  ['addresses of the other family', '{from: [{ipBlock: {cidr: "::/0"}}]}', false],
])('lets in by %s', (_what, rule, allowed) => {
  expect(may(policies(deny, allOut, into(rule)), a, b, http)).toBe(allowed);
});

it('allows egress to addresses of both families, except the excluded ones', () => {
  const internet = policies(
    deny,
    out(
      '{to: [{ipBlock: {cidr: 0.0.0.0/0, except: [10.0.0.0/8]}}, {ipBlock: {cidr: "::/0", except: ["fc00::/7"]}}], ports: [{port: 8080}]}',
    ),
  );
  const to = (ip: string) => may(internet, a, { name: ip, ip }, http);
  expect(['203.0.113.7', '2001:db8::7', '10.9.9.9', 'fd00::1'].map(to)).toEqual([true, true, false, false]);
});

it('applies a policy without types to ingress, and to egress if it has egress rules', () => {
  expect(may(policies('{podSelector: {}}'), a, outside, http)).toBe(true);
  expect(may(policies('{podSelector: {}, egress: []}'), a, outside, http)).toBe(false);
});
