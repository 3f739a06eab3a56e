import { createHook } from 'node:async_hooks';
import crypto, { KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSandboxCertificates } from './sandbox-certificates';
import type { Signer } from './signer';

const folder = mkdtempSync(join(tmpdir(), 'signer-work-'));
const domains = { domainV2: 'opendsr.localhost', domainV1: 'opengdpr.localhost' };
const bodies = Array.from({ length: 8 }, (_, i) => Buffer.from(`{"number":${i}}`));
const signedWith = jest.spyOn(crypto, 'sign');
let signer: Signer;

beforeAll(async () => {
  const now = new Date();
  const { v2 } = await ensureSandboxCertificates(folder, { ...domains, now });
  // The signer imports `sign` when it is loaded, so it is loaded again under the spy.
  await jest.isolateModulesAsync(async () => {
    const { loadSigner } = await import('./signer');
    signer = await loadSigner({ ...v2, domain: domains.domainV2, now });
  });
  signedWith.mockClear();
});
afterAll(() => rmSync(folder, { recursive: true }));

it('signs off the event loop: each signature is a job of the thread pool', async () => {
  const jobs: string[] = [];
  const hook = createHook({ init: (_id, type) => void jobs.push(type) }).enable();
  let settled = 0;
  const all = Promise.all(bodies.map((body) => signer.sign(body).finally(() => settled++)));
  // A signature on the event loop would settle in ticks and microtasks, which all run before the next turn.
  for (let i = 0; i < 20; i++)
    await new Promise<void>((resolve) => {
      process.nextTick(resolve);
    });
  expect(settled).toBe(0);
  await all;
  hook.disable();
  expect(jobs.filter((type) => type === 'SIGNREQUEST')).toHaveLength(bodies.length);
});

it('creates the key object once, and parses no key for a signature', async () => {
  const parsed = jest.spyOn(crypto, 'createPrivateKey');
  signedWith.mockClear();
  for (const body of bodies) await signer.sign(body);
  const keys = signedWith.mock.calls.map(([, , key]) => key);
  expect(keys).toHaveLength(bodies.length);
  expect(keys[0]).toBeInstanceOf(KeyObject);
  expect(new Set(keys).size).toBe(1);
  expect(parsed).not.toHaveBeenCalled();
});
