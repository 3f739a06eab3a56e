import type { LookupAddress } from 'node:dns';
import { isBlockedAddress } from './blocked-address';
import { callbackUrlFault } from './callback-url-fault';
import { networks } from '../networks';
import { egressPolicy, hostOf, type EgressPolicy } from './egress-policy';
import { checkLiteral, EgressRefused, guardedLookup } from './guarded-lookup';

const PUBLIC_ONLY = egressPolicy({ hosts: [], cidrs: [], loopback: false });
const loopback = egressPolicy({ hosts: [], cidrs: [], loopback: true });

describe('an address that callbacks are not sent to', () => {
  it.each([
    '0.0.0.0', '10.1.2.3', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.254', '168.63.129.16', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192',
    '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255',
  ])('%s', (ip) => { expect(isBlockedAddress(ip, PUBLIC_ONLY)).toBe(true); });

  it.each([
    '::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::127.0.0.1', '::ffff:0:127.0.0.1', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::', '64:ff9b:1::1', '100::1',
    '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '4000::1',
  ])('%s', (ip) => { expect(isBlockedAddress(ip, PUBLIC_ONLY)).toBe(true); });

  it.each(['', 'localhost', '1.2.3', '0x7f000001', '1.2.3.4.5', '[::1]'])('what is not an address: %j', (ip) => { expect(isBlockedAddress(ip, PUBLIC_ONLY)).toBe(true); });
});

it.each(['1.1.1.1', '93.184.216.34', '172.15.0.1', '172.32.0.1', '100.128.0.1', '::ffff:1.1.1.1', '64:ff9b::1.1.1.1', '64:ff9b::101:101', '2606:4700:4700::1111', '2a00::1'])(
  'the public address %s is let through',
  (ip) => { expect(isBlockedAddress(ip, PUBLIC_ONLY)).toBe(false); },
);

it('an allowed network is let through in every form, and nothing beside it', () => {
  for (const ip of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1']) expect(isBlockedAddress(ip, loopback)).toBe(false);
  for (const ip of ['10.0.0.1', '::2', '::ffff:10.0.0.1']) expect(isBlockedAddress(ip, loopback)).toBe(true);
});

it('a network is an address with the number of bits that count, or one address', () => {
  for (const text of ['10.0.0.0/8', '10.0.0.1', '::1', 'fd00::/8', '0.0.0.0/0', '::/128']) expect(() => networks([text])).not.toThrow();
  for (const text of ['', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0/8', '::/129', 'fe80::1%lo/64', '10.0.0.0/-1', '10.0.0.0/x', 'host']) expect(() => networks([text])).toThrow(RangeError);
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
  ])('is refused: %j', (url, fault) => { expect(callbackUrlFault(url, PUBLIC_ONLY)).toBe(fault); });

  it.each([
    '127.0.0.1', '2130706433', '0x7f.1', '017700000001', '127.1', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::a00:1]', '169.254.169.254', '192.168.0.1:8443', '１２７.0.0.1', 'localhost', 'LOCALHOST.',
    'a.localhost', 'metadata.google.internal', 'gateway.dsr.svc.cluster.local', 'results', 'printer.lan',
  ])('is refused where its host is %s', (host) => { expect(callbackUrlFault(`https://${host}/dsr`, PUBLIC_ONLY)).toBe('names a host that callbacks are not sent to'); });

  it.each(['https://controller.example/dsr?a=1&b=@', 'https://controller.example:8443', 'HTTPS://Controller.Example./', 'https://1.1.1.1/dsr', 'https://xn--bcher-kva.example/'])('is taken: %s', (url) => {
    expect(callbackUrlFault(url, PUBLIC_ONLY)).toBeUndefined();
  });

  it('is taken where the operator vouches for its host, written as a name or as an address', () => {
    const policy = egressPolicy({ hosts: ['receiver.lan', '[fd00::1]'], cidrs: ['10.0.0.0/8'], loopback: false });
    for (const host of ['receiver.lan', 'RECEIVER.lan.', '[fd00::1]', '10.9.9.9']) expect(callbackUrlFault(`https://${host}/`, policy)).toBeUndefined();
    for (const host of ['other.lan', '[fd00::2]', '11.9.9.9.lan']) expect(callbackUrlFault(`https://${host}/`, policy)).toBeDefined();
  });

  it('goes without TLS to hosts that the operator names, and to nobody else', () => {
    const policy = egressPolicy({ hosts: ['receiver.lan', '10.0.0.1'], cidrs: ['10.0.0.0/8'], loopback: true });
    for (const host of ['receiver.lan', 'Receiver.LAN.', '10.0.0.1:8080']) expect(callbackUrlFault(`http://${host}/dsr`, policy)).toBeUndefined();
    for (const host of ['localhost', '127.0.0.1', '10.0.0.2', 'controller.example']) expect(callbackUrlFault(`http://${host}/dsr`, policy)).toBe('does not begin with https://');
    expect(callbackUrlFault('http://user@receiver.lan/', policy)).toBe('holds credentials');
    expect(callbackUrlFault('ftp://receiver.lan/', policy)).toBe('does not begin with https://');
  });

  it.each(['https://localhost:8443/dsr', 'https://LOCALHOST./', 'https://127.0.0.1:8443/', 'https://[::1]/'])('is taken where the operator allows its host: %s', (url) => {
    expect(callbackUrlFault(url, loopback)).toBeUndefined();
  });
});

describe('a connection', () => {
  const answering = (...addresses: string[]) =>
    ((_host: string, _options: object, callback: (error: null, found: LookupAddress[]) => void) => {
      callback(null, addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
    }) as unknown as Parameters<typeof guardedLookup>[1];
  const look = (policy: EgressPolicy, addresses: string[], all: boolean, host = 'controller.example') =>
    new Promise((resolve, reject) => { guardedLookup(policy, answering(...addresses))(host, { all }, (error, address) => { if (error) reject(error); else resolve(address); }); });

  it('goes to the address that was checked', async () => {
    await expect(look(PUBLIC_ONLY, ['1.1.1.1', '1.0.0.1'], false)).resolves.toBe('1.1.1.1');
    await expect(look(PUBLIC_ONLY, ['1.1.1.1', '2a00::1'], true)).resolves.toEqual([{ address: '1.1.1.1', family: 4 }, { address: '2a00::1', family: 6 }]);
  });

  it('is refused where any address of the name is, or where there is none', async () => {
    await expect(look(PUBLIC_ONLY, ['1.1.1.1', '10.0.0.1'], true)).rejects.toThrow(EgressRefused);
    await expect(look(PUBLIC_ONLY, ['10.0.0.1'], false)).rejects.toThrow(EgressRefused);
    await expect(look(PUBLIC_ONLY, [], true)).rejects.toThrow(EgressRefused);
  });

  it('goes to any address of a name that the operator vouches for, and to no other name there', async () => {
    const policy = egressPolicy({ hosts: ['receiver.corp.example'], cidrs: [], loopback: false });
    await expect(look(policy, ['10.0.0.1'], false, 'Receiver.corp.example')).resolves.toBe('10.0.0.1');
    await expect(look(policy, ['10.0.0.1'], false, 'other.corp.example')).rejects.toThrow(EgressRefused);
  });

  it('to an address in place of a name is checked as well', () => {
    for (const host of ['127.0.0.1', '[::1]', '::1', '169.254.169.254']) expect(() => { checkLiteral(host, PUBLIC_ONLY); }).toThrow(EgressRefused);
    for (const host of ['1.1.1.1', '[2a00::1]', 'controller.example']) expect(() => { checkLiteral(host, PUBLIC_ONLY); }).not.toThrow();
    expect(() => { checkLiteral('127.0.0.1', loopback); }).not.toThrow();
  });
});

it('the host that limits count is the name with the port where that is not the usual one', () => {
  for (const url of ['https://controller.example/a', 'HTTPS://Controller.Example.:443/b?c']) expect(hostOf(url)).toBe('controller.example');
  expect(hostOf('https://controller.example:8443/')).toBe('controller.example:8443');
  expect(hostOf('https://[2A00::1]/')).toBe('[2a00::1]');
});
