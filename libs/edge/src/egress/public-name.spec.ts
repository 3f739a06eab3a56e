import { callbackUrlFault, REFUSED_HOST } from './callback-url-fault';
import { egressPolicy } from './egress-policy';
import { isPublicName } from './public-name';

const outside = egressPolicy({ hosts: [], cidrs: [], ports: [443], loopback: false });
const sandbox = egressPolicy({ hosts: [], cidrs: [], ports: [443], loopback: true });
const label = (length: number) => 'a'.repeat(length);
/** Labels have at most 50 characters. */
const nameOfLength = (length: number) =>
  `${'a.'.repeat((length - 51) / 2)}${label(length - 2 * Math.floor((length - 51) / 2) - '.com'.length)}.com`;

const PUBLIC: readonly string[] = [
  'controller.example',
  'controller.example.com',
  'Controller.Example.COM',
  'controller.example.com.',
  'a.b',
  '1.2.3.4.example',
  '127.0.0.1.nip.io',
  '0x7f.example',
  'a-b.example',
  'a--b.example',
  'xn--bcher-kva.example',
  'bücher.example',
  'controller.xn--p1ai',
  'local.example',
  'localhost.example',
  'svc.example',
  'home.arpa.example',
  'mylocalhost.de',
  'notlocal.io',
  'controller.tests',
  `${label(63)}.example`,
  nameOfLength(253),
];

const NOT_PUBLIC: readonly (readonly [why: string, ...names: readonly string[]])[] = [
  ['a single label', 'localhost', 'results', 'com', 'results.'],
  ['an empty label', 'localhost..', 'controller.example..', 'a..b.example', '.x.example', '..', '.', '.example'],
  ['a label that is too long', `${label(64)}.example`, `a.${label(64)}`],
  ['a name that is too long', nameOfLength(254), `${nameOfLength(254)}.`],
  [
    'characters that host names do not have',
    '*.svc',
    '*.example',
    'a_b.example',
    '_dmarc.example',
    'a!b.example',
    "a'b.example",
    'a,b.example',
    'a~b.example',
    'a+b.example',
    '(a).example',
  ],
  ['a hyphen at the end of a label', '-a.example', 'a-.example', 'a.-example', 'a.example-', '-.example'],
  ['a zone of one machine', 'a.localhost', 'A.LocalHost.', 'a.localdomain'],
  [
    'a zone of a network',
    'printer.local',
    'db.internal',
    'metadata.google.internal',
    'nas.home.arpa',
    'wiki.intranet',
    'a.private',
    'a.lan',
    'a.home',
    'a.corp',
    'a.mail',
  ],
  [
    'a zone of a cluster',
    'gateway.dsr.svc',
    'gateway.dsr.svc.cluster.local',
    'a.cluster.local',
    '10-1-2-3.dsr.pod',
    'localhost.svc',
  ],
  ['a zone that DNS does not serve', 'a.test', 'a.invalid', 'a.onion', 'a.alt', '1.0.0.127.in-addr.arpa', 'a.arpa'],
];
const notPublic = NOT_PUBLIC.flatMap(([why, ...names]) => names.map((name) => ({ why, name })));

it.each(PUBLIC)('a callback URL with the public name %s is accepted', (name) => {
  expect(callbackUrlFault(`https://${name}/dsr`, outside)).toBeUndefined();
});

it.each(notPublic)('a callback URL with $why is refused: $name', ({ name }) => {
  expect(callbackUrlFault(`https://${name}/dsr`, outside)).toBe(REFUSED_HOST);
});

it.each(['localhost..', 'localhost...', 'a.localhost', '.localhost'])(
  'localhost is accepted while receivers are tried out on this machine, but not %s',
  (name) => {
    expect(callbackUrlFault(`https://${name}/`, sandbox)).toBe(REFUSED_HOST);
    for (const own of ['localhost', 'localhost.']) expect(callbackUrlFault(`https://${own}/`, sandbox)).toBeUndefined();
  },
);

it.each(['a_b.example', 'gateway.dsr.svc', 'results', 'a.test', `${label(64)}.example`])(
  'the host %s is accepted if the operator names it, and its neighbour is not',
  (name) => {
    const policy = egressPolicy({ hosts: [name], cidrs: [], ports: [443], loopback: false });
    for (const host of [name, name.toUpperCase(), `${name}.`])
      expect(callbackUrlFault(`https://${host}/`, policy)).toBeUndefined();
    for (const host of [`x_${name}`, `${name}..`])
      expect(callbackUrlFault(`https://${host}/`, policy)).toBe(REFUSED_HOST);
  },
);

it('a name does not end in a number: the URL parser reads it as an address', () => {
  for (const name of ['a.123', 'a.0', 'controller.example.1']) expect(isPublicName(name)).toBe(false);
  expect(callbackUrlFault('https://a.123/', outside)).toBe('is not a URL');
});
