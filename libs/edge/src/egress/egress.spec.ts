import { isBlockedAddress } from './blocked-address';
import { callbackUrlFault } from './callback-url-fault';
import { networks } from '../networks';
import { egressPolicy, hostOf, type EgressPolicy } from './egress-policy';
import { checkTarget, EgressRefused, guardedLookup } from './guarded-lookup';
import type { EgressSources } from './sources.client';

const PUBLIC_ONLY = egressPolicy({ hosts: [], cidrs: [], ports: [443], loopback: false });
const loopback = egressPolicy({ hosts: [], cidrs: [], ports: [443], loopback: true });

describe('an address that callbacks are not sent to', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
  ])('%s', (ip) => {
    expect(isBlockedAddress(ip, PUBLIC_ONLY)).toBe(true);
  });

  it.each([
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '4000::1',
  ])('%s', (ip) => {
    expect(isBlockedAddress(ip, PUBLIC_ONLY)).toBe(true);
  });

  it.each(['', 'localhost', '1.2.3', '0x7f000001', '1.2.3.4.5', '[::1]'])('what is not an address: %j', (ip) => {
    expect(isBlockedAddress(ip, PUBLIC_ONLY)).toBe(true);
  });
});

it.each([
  '1.1.1.1',
  '93.184.216.34',
  '172.15.0.1',
  '172.32.0.1',
  '100.128.0.1',
  '::ffff:1.1.1.1',
  '64:ff9b::1.1.1.1',
  '64:ff9b::101:101',
  '2606:4700:4700::1111',
  '2a00::1',
])('the public address %s is allowed', (ip) => {
  expect(isBlockedAddress(ip, PUBLIC_ONLY)).toBe(false);
});

it('an allowed network passes in every form, and no other address', () => {
  for (const ip of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'])
    expect(isBlockedAddress(ip, loopback)).toBe(false);
  for (const ip of ['10.0.0.1', '::2', '::ffff:10.0.0.1']) expect(isBlockedAddress(ip, loopback)).toBe(true);
});

it('a network is an address with a prefix length, or one address', () => {
  for (const text of ['10.0.0.0/8', '10.0.0.1', '::1', 'fd00::/8', '0.0.0.0/0', '::/128'])
    expect(() => networks([text])).not.toThrow();
  for (const text of [
    '',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '::/129',
    'fe80::1%lo/64',
    '10.0.0.0/-1',
    '10.0.0.0/x',
    'host',
  ])
    expect(() => networks([text])).toThrow(RangeError);
});

describe('the URL of a callback', () => {
  it.each([
    ['http://controller.example/dsr', 'does not begin with https://'],
    ['ftp://controller.example/dsr', 'does not begin with https://'],
    ['controller.example/dsr', 'is not a URL'],
    ['', 'is not a URL'],
    ['https:controller.example', 'is not a URL'],
    ['https:///controller.example', 'is not a URL'],
    ['https://controller.example\\@10.0.0.1/', 'is not a URL'],
    ['https://controller.example/a b', 'is not a URL'],
    ['https://controller.example/\n', 'is not a URL'],
    ['https://user@controller.example/', 'holds credentials'],
    ['https://user:secret@controller.example/', 'holds credentials'],
    ['https://@controller.example/', 'holds credentials'],
    ['https://controller.example/#part', 'has a fragment'],
    ['https://controller.example/#', 'has a fragment'],
    [`https://controller.example/${'a'.repeat(2_022)}`, 'is longer than 2048 characters'],
  ])('is refused: %j', (url, fault) => {
    expect(callbackUrlFault(url, PUBLIC_ONLY)).toBe(fault);
  });

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '017700000001',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::a00:1]',
    '169.254.169.254',
    '192.168.0.1:8443',
    '１２７.0.0.1',
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'metadata.google.internal',
    'gateway.dsr.svc.cluster.local',
    'results',
    'printer.lan',
  ])('is refused if its host is %s', (host) => {
    expect(callbackUrlFault(`https://${host}/dsr`, PUBLIC_ONLY)).toBe('names a host that callbacks are not sent to');
  });

  it.each([
    'https://controller.example/dsr?a=1&b=@',
    'https://controller.example:443',
    'HTTPS://Controller.Example./',
    'https://1.1.1.1/dsr',
    'https://xn--bcher-kva.example/',
  ])('is accepted: %s', (url) => {
    expect(callbackUrlFault(url, PUBLIC_ONLY)).toBeUndefined();
  });

  it('is accepted if the operator allows its host, as a name or as an address', () => {
    const policy = egressPolicy({
      hosts: ['receiver.lan', '[fd00::1]', 'FD00:0::0a'],
      cidrs: ['10.0.0.0/8'],
      ports: [443],
      loopback: false,
    });
    for (const host of ['receiver.lan', 'RECEIVER.lan.', '[fd00::1]', '[fd00::a]', '10.9.9.9'])
      expect(callbackUrlFault(`https://${host}/`, policy)).toBeUndefined();
    for (const host of ['other.lan', '[fd00::2]', '11.9.9.9.lan'])
      expect(callbackUrlFault(`https://${host}/`, policy)).toBeDefined();
  });

  it('goes without TLS only to hosts that the operator names', () => {
    const policy = egressPolicy({
      hosts: ['receiver.lan', '10.0.0.1'],
      cidrs: ['10.0.0.0/8'],
      ports: [443],
      loopback: true,
    });
    for (const host of ['receiver.lan', 'Receiver.LAN.', '10.0.0.1:8080'])
      expect(callbackUrlFault(`http://${host}/dsr`, policy)).toBeUndefined();
    for (const host of ['localhost', '127.0.0.1', '10.0.0.2', 'controller.example'])
      expect(callbackUrlFault(`http://${host}/dsr`, policy)).toBe('does not begin with https://');
    expect(callbackUrlFault('http://user@receiver.lan/', policy)).toBe('holds credentials');
    expect(callbackUrlFault('ftp://receiver.lan/', policy)).toBe('does not begin with https://');
  });

  it.each([
    'https://controller.example:8443/',
    'https://controller.example:22',
    'https://1.1.1.1:80/',
    'https://10.1.1.1:9090/',
  ])('is refused if its port is not allowed: %s', (url) => {
    const policy = egressPolicy({ hosts: [], cidrs: ['10.0.0.0/8'], ports: [443, 8444], loopback: true });
    expect(callbackUrlFault(url, policy)).toBe('names a port that callbacks are not sent to');
    expect(callbackUrlFault(url.replace(/:\d+/, ':8444'), policy)).toBeUndefined();
  });

  it.each(['https://localhost:8443/dsr', 'https://LOCALHOST./', 'https://127.0.0.1:8443/', 'https://[::1]/'])(
    'is accepted if the operator allows its host: %s',
    (url) => {
      expect(callbackUrlFault(url, loopback)).toBeUndefined();
    },
  );
});

describe('a connection', () => {
  const OWN = '93.184.216.34';
  const answering = (...addresses: string[]): EgressSources => {
    const found = () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
    return { ofAllowedHost: found, ofOtherHost: found, own: () => [OWN, 'fe80::1'] };
  };
  const look = (policy: EgressPolicy, addresses: string[], all: boolean, host = 'controller.example') =>
    new Promise((resolve, reject) => {
      guardedLookup(policy, answering(...addresses))(host, { all }, (error, address) => {
        if (error) reject(error);
        else resolve(address);
      });
    });
  const check =
    (hostname: string, policy: EgressPolicy, { protocol = 'https:', port = '' } = {}) =>
    () => {
      checkTarget({ protocol, hostname, port }, policy, answering());
    };

  it('goes to the address that was checked', async () => {
    await expect(look(PUBLIC_ONLY, ['1.1.1.1', '1.0.0.1'], false)).resolves.toBe('1.1.1.1');
    await expect(look(PUBLIC_ONLY, ['1.1.1.1', '2a00::1'], true)).resolves.toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2a00::1', family: 6 },
    ]);
  });

  it('is refused if any address of the name is, or if there is none', async () => {
    await expect(look(PUBLIC_ONLY, ['1.1.1.1', '10.0.0.1'], true)).rejects.toThrow(EgressRefused);
    await expect(look(PUBLIC_ONLY, ['10.0.0.1'], false)).rejects.toThrow(EgressRefused);
    await expect(look(PUBLIC_ONLY, [], true)).rejects.toThrow(EgressRefused);
  });

  it('goes to any address of a name that the operator allows, and to no other name there', async () => {
    const policy = egressPolicy({ hosts: ['receiver.corp.example'], cidrs: [], ports: [443], loopback: false });
    await expect(look(policy, ['10.0.0.1'], false, 'Receiver.corp.example')).resolves.toBe('10.0.0.1');
    await expect(look(policy, ['10.0.0.1'], false, 'other.corp.example')).rejects.toThrow(EgressRefused);
  });

  it('resolves allowed names by the machine and all others by DNS alone', async () => {
    const asked: string[] = [];
    const by = (source: string) => (name: string) => {
      asked.push(`${source} ${name}`);
      return Promise.resolve([{ address: '1.1.1.1', family: 4 }]);
    };
    const sources = { ofAllowedHost: by('machine'), ofOtherHost: by('dns'), own: () => [] };
    for (const name of ['localhost', 'controller.example'])
      await new Promise((resolve) => {
        guardedLookup(loopback, sources)(name, {}, resolve);
      });
    expect(asked).toEqual(['machine localhost', 'dns controller.example']);
  });

  it('to an address in place of a name is checked as well', () => {
    for (const host of ['127.0.0.1', '[::1]', '::1', '169.254.169.254'])
      expect(check(host, PUBLIC_ONLY)).toThrow(EgressRefused);
    for (const host of ['1.1.1.1', '[2a00::1]', 'controller.example']) expect(check(host, PUBLIC_ONLY)).not.toThrow();
    expect(check('127.0.0.1', loopback)).not.toThrow();
  });

  it('is made without TLS or to another port only for hosts that the operator names', () => {
    const policy = egressPolicy({ hosts: ['receiver.lan'], cidrs: ['10.0.0.0/8'], ports: [443], loopback: true });
    for (const host of ['controller.example', '10.0.0.1', '1.1.1.1']) {
      expect(check(host, policy, { port: '8443' })).toThrow(EgressRefused);
      expect(check(host, policy, { protocol: 'http:' })).toThrow(EgressRefused);
    }
    for (const host of ['receiver.lan', 'localhost', '127.8.8.8', '[::1]'])
      expect(check(host, policy, { port: '8443' })).not.toThrow();
    expect(check('receiver.lan', policy, { protocol: 'http:', port: '80' })).not.toThrow();
    expect(check('localhost', policy, { protocol: 'http:' })).toThrow(EgressRefused);
  });

  it('does not reach this machine, by address or by name, unless the policy allows it', async () => {
    await expect(look(PUBLIC_ONLY, [OWN], true)).rejects.toThrow(EgressRefused);
    expect(check(OWN, PUBLIC_ONLY)).toThrow(EgressRefused);
    expect(check(`[::ffff:${OWN}]`, PUBLIC_ONLY)).toThrow(EgressRefused);
    const policy = egressPolicy({ hosts: [], cidrs: [OWN], ports: [443], loopback: false });
    await expect(look(policy, [OWN], false)).resolves.toBe(OWN);
    expect(check(OWN, policy)).not.toThrow();
  });
});

it('an allowed range does not open the metadata addresses of clouds; an allowed host does', () => {
  const all = egressPolicy({ hosts: ['169.254.169.254'], cidrs: ['0.0.0.0/0', '::/0'], ports: [443], loopback: false });
  for (const ip of [
    '100.100.100.200',
    '168.63.129.16',
    '169.254.170.2',
    '192.0.0.192',
    'fd00:ec2::254',
    '64:ff9b::a9fe:a9fe',
    '::ffff:169.254.169.254',
  ])
    expect(isBlockedAddress(ip, all)).toBe(true);
  expect(callbackUrlFault('https://169.254.169.254/', all)).toBeUndefined();
});

it('the host that limits count is the name, with a port that is not the default', () => {
  for (const url of ['https://controller.example/a', 'HTTPS://Controller.Example.:443/b?c'])
    expect(hostOf(url)).toBe('controller.example');
  expect(hostOf('https://controller.example:8443/')).toBe('controller.example:8443');
  expect(hostOf('https://[2A00::1]/')).toBe('[2a00::1]');
});
