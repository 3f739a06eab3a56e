import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { egressPolicy } from './egress-policy';
import { MOST_LOOKUPS, refusedNames } from './refused-names';
import { egressSources } from './sources.client';

const policy = egressPolicy({ hosts: ['receiver.lan'], cidrs: ['10.1.0.0/16'], ports: [443], loopback: true });
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['1.1.1.1', '2a00::1'],
  'inside.example': ['10.0.0.1'],
  'both.example': ['1.1.1.1', '::ffff:169.254.169.254'],
  'allowed.example': ['10.1.2.3'],
};

let asked: string[];
let now: number;
const sources = {
  ofOtherHost: (name: string) => {
    asked.push(name);
    const addresses = ADDRESSES[name];
    return addresses
      ? Promise.resolve(addresses.map((address) => ({ address, family: isIP(address) })))
      : Promise.reject(new Error('ENOTFOUND'));
  },
};
let refuses: ReturnType<typeof refusedNames>;
beforeEach(() => {
  asked = [];
  now = 1;
  refuses = refusedNames(policy, sources, { now: () => now });
});

it('a name is refused if any of its addresses is, and not if DNS does not answer', async () => {
  const names = ['public.example', 'inside.example', 'both.example', 'allowed.example', 'unknown.example'];
  await expect(refuses(names.map((name) => `https://${name}/dsr`))).resolves.toEqual([false, true, true, false, false]);
});

it('a name is resolved once in 30 s for all URLs, spellings and creates', async () => {
  const urls = ['https://inside.example/a', 'https://INSIDE.example.:8443/b?c'];
  await expect(Promise.all([refuses(urls), refuses(urls)])).resolves.toEqual([
    [true, true],
    [true, true],
  ]);
  now += 30_000;
  await refuses(urls);
  expect(asked).toEqual(['inside.example']);
  now += 1;
  await expect(refuses(urls)).resolves.toEqual([true, true]);
  expect(asked).toEqual(['inside.example', 'inside.example']);
});

it('names are resolved at the same time', async () => {
  let release: (() => void) | undefined;
  const held = new Promise<[]>(
    (resolve) =>
      (release = () => {
        resolve([]);
      }),
  );
  const answer = refusedNames(policy, { ofOtherHost: (name) => (asked.push(name), held) })([
    'https://a.example/',
    'https://b.example/',
  ]);
  expect(asked).toEqual(['a.example', 'b.example']);
  release?.();
  await expect(answer).resolves.toEqual([false, false]);
});

it('names beyond the limit of look-ups at the same time pass, and are resolved when they come again', async () => {
  const held = Promise.withResolvers<[]>();
  const many = refusedNames(policy, { ofOtherHost: (name) => (asked.push(name), held.promise) });
  const urls = Array.from({ length: MOST_LOOKUPS }, (_, n) => `https://name-${n}.example/`);
  const answer = many(urls);
  await expect(many(['https://one-more.example/'])).resolves.toEqual([false]);
  expect(asked).toHaveLength(MOST_LOOKUPS);
  held.resolve([]);
  await answer;
  await many([...urls, 'https://one-more.example/']);
  expect(asked.slice(MOST_LOOKUPS)).toEqual(['one-more.example']);
  const page = readFileSync(join(__dirname, '../../../../docs/limits.md'), 'utf8');
  expect(page).toContain(`that a process resolves at the same time, for creates | ${MOST_LOOKUPS} |`);
});

it('addresses, hosts that the operator allows and this machine in a try-out are not resolved', async () => {
  await expect(
    refuses(['https://1.1.1.1/', 'https://[2a00::1]/', 'http://receiver.lan:8080/', 'https://localhost:8443/']),
  ).resolves.toEqual([false, false, false, false]);
  expect(asked).toEqual([]);
});

it('a name without an answer in time is not refused', async () => {
  const mute = createSocket('udp4').bind(0, '127.0.0.1');
  await once(mute, 'listening');
  const late = refusedNames(policy, egressSources({ timeoutMs: 50, servers: [`127.0.0.1:${mute.address().port}`] }));
  await expect(late(['https://late.example/'])).resolves.toEqual([false]);
  mute.close();
});
