import 'reflect-metadata';
import * as x509 from '@peculiar/x509';
import { issuingPoint, makeList, makeParty, type ListWish, type Party } from '../testing/authorities';
import { callbackOf, Processor, type SignedMessage } from '../testing/processor';
import { DOMAIN, MINE } from '../testing/vector-world';
import type { VerifyOptions } from './types';
import { createVerifier, type Verifier } from './verifier';

const LIST = 'http://lists.authority.example/7.crl';
const SECOND = 'http://lists.authority.example/7-again.crl';
const DAY_MINUTES = 24 * 60;

let opened: Processor;
let leaf: Party;
let callback: SignedMessage;
let processor: Processor;
let verifier: Verifier;

const options = (change: Partial<VerifyOptions> = {}): VerifyOptions => ({
  allowedDomains: [DOMAIN],
  callbackUrls: [MINE],
  trust: processor.root.pem,
  now: () => processor.now,
  fetch: processor.fetch,
  ...change,
});
const lists = async (wish: ListWish = {}, url = LIST): Promise<void> => {
  const list = await makeList(processor.root, wish);
  processor.pages.set(url, () => new Response(Uint8Array.from(list)));
};
const check = async (by = verifier) => {
  const verdict = await by.verify(callback.body, callback.headers);
  return { valid: verdict.valid, ...verdict.checks.find((one) => one.check === 'revocation') };
};
const listCalls = () => processor.takeAsked().filter((url) => url.startsWith('http:')).length;

beforeAll(async () => {
  opened = await Processor.open();
  leaf = await opened.renewed({ keys: opened.leaf.keys, lists: ['ldap://lists.authority.example/7', LIST, SECOND] });
  callback = await callbackOf(leaf);
});

beforeEach(async () => {
  processor = new Processor(opened.root, leaf);
  processor.publishes(leaf);
  await lists();
  verifier = createVerifier(options());
});

describe('a revocation list', () => {
  it('is fetched once for concurrent callbacks, and cached for a day', async () => {
    const found = await Promise.all(Array.from({ length: 10 }, () => check()));
    expect(found).toEqual(
      Array(10).fill({ valid: true, check: 'revocation', passed: true, detail: 'not revoked by 1 lists' }),
    );
    processor.passes(DAY_MINUTES - 1);
    await check();
    expect(listCalls()).toBe(1);
    processor.passes(2);
    expect(await check()).toMatchObject({ valid: true });
    expect(listCalls()).toBe(1);
  });

  it('is fetched earlier if a newer one is due', async () => {
    await lists({ until: new Date(processor.now.getTime() + 3600_000) });
    await check();
    processor.passes(61);
    await lists();
    expect(await check()).toMatchObject({ valid: true });
    expect(listCalls()).toBe(2);
  });

  it('is used until a newer one is due, while none is available', async () => {
    await check();
    processor.pages.delete(LIST);
    processor.passes(2 * DAY_MINUTES);
    expect(await check()).toMatchObject({ valid: true });
    processor.passes(5 * DAY_MINUTES);
    expect(await check()).toMatchObject({ valid: false, detail: `${SECOND} cannot be reached (ENOTFOUND)` });
  });

  it('that names a certificate counts although no newer one is available', async () => {
    await lists({ revoked: [leaf] });
    verifier = createVerifier(options({ revocation: 'if-reachable' }));
    expect(await check()).toMatchObject({ valid: false, detail: 'a certificate on the path was revoked' });
    processor.pages.delete(LIST);
    processor.passes(30 * DAY_MINUTES);
    expect(await check()).toMatchObject({ valid: false, detail: 'a certificate on the path was revoked' });
  });

  describe('that is older than an accepted one, though in date,', () => {
    const older = { from: new Date('2025-12-30T00:00:00Z') };
    const newer = { from: new Date('2026-01-02T00:00:00Z') };
    const numbered = (number: number) => ({
      extensions: [new x509.Extension('2.5.29.20', false, Buffer.from([0x02, 1, number]))],
    });

    it.each<[string, ListWish, ListWish]>([
      ['by its time', {}, older],
      ['by its number in the same second', numbered(7), numbered(6)],
    ])('does not undo a revocation: %s; only a newer one does', async (_, first, second) => {
      await lists({ ...first, revoked: [leaf] });
      expect(await check()).toMatchObject({ valid: false, detail: 'a certificate on the path was revoked' });
      await lists(second);
      processor.passes(DAY_MINUTES + 60);
      expect(await check()).toMatchObject({ valid: false, detail: 'a certificate on the path was revoked' });
      expect(listCalls()).toBe(2);
      await lists({ ...second, ...newer });
      processor.passes(1);
      expect(await check()).toMatchObject({ valid: true });
    });

    it('is ignored while the newer one is valid', async () => {
      await check();
      await lists(older);
      processor.passes(DAY_MINUTES + 60);
      expect(await check()).toMatchObject({ valid: true });
      processor.passes(6 * DAY_MINUTES);
      await lists({ ...older, until: new Date('2026-02-01T00:00:00Z') });
      expect(await check()).toMatchObject({ valid: false, passed: false });
    });

    it('proves nothing at another address, or for another certificate with the same addresses', async () => {
      processor.pages.delete(LIST);
      await lists({ revoked: [leaf] }, SECOND);
      expect(await check()).toMatchObject({ valid: false, detail: 'a certificate on the path was revoked' });
      await lists(older);
      processor.passes(1);
      expect(await check()).toMatchObject({ valid: false, detail: 'a certificate on the path was revoked' });
      const next = await processor.renewed({ lists: ['ldap://lists.authority.example/7', LIST, SECOND] });
      processor.publishes(next, '/second.pem');
      processor.passes(6);
      await lists(older, SECOND);
      const { body, headers } = await callbackOf(next);
      const verdict = await verifier.verify(body, headers);
      expect(verdict.checks.at(-1)).toEqual({
        check: 'revocation',
        passed: false,
        detail: `${SECOND} is older than an accepted list`,
      });
    });
  });

  it('is requested at most once a minute while it is unavailable', async () => {
    processor.pages.delete(LIST);
    for (let i = 0; i < 10; i++) expect(await check()).toMatchObject({ valid: false, passed: false });
    expect(listCalls()).toBe(2);
    processor.passes(1);
    await check();
    expect(listCalls()).toBe(2);
  });

  it('may be at the second address of a certificate', async () => {
    processor.pages.delete(LIST);
    await lists({}, SECOND);
    expect(await check()).toMatchObject({ valid: true });
  });

  it('that names a certificate causes a new read of the certificate, so that a replacement is found', async () => {
    await check();
    await lists({ revoked: [leaf] });
    const next = await processor.renewed();
    processor.publishes(next, '/second.pem');
    processor.passes(DAY_MINUTES);
    const { body, headers } = await callbackOf(next);
    expect(await verifier.verify(body, headers)).toMatchObject({ valid: true });
  });

  it('may be unavailable with if-reachable, and is not requested with off', async () => {
    processor.pages.delete(LIST);
    expect(await check(createVerifier(options({ revocation: 'if-reachable' })))).toMatchObject({
      valid: true,
      detail: `not checked: ${SECOND} cannot be reached (ENOTFOUND)`,
    });
    listCalls();
    expect(await check(createVerifier(options({ revocation: 'off' })))).toMatchObject({ valid: true });
    expect(listCalls()).toBe(0);
  });

  it('is requested only after the path leads to a trusted authority, as a stranger may name its address', async () => {
    const stranger = await makeParty({ name: 'Stranger', keys: leaf.keys, isAuthority: true });
    expect((await createVerifier(options({ trust: stranger.pem })).verify(callback.body, callback.headers)).valid).toBe(
      false,
    );
    expect(listCalls()).toBe(0);
  });

  it('is missing if a certificate names no usable address', async () => {
    processor.publishes(await processor.renewed({ keys: leaf.keys, lists: ['ldap://lists.authority.example/7'] }));
    expect(await check()).toMatchObject({
      valid: false,
      detail: 'a certificate names no usable address of a revocation list',
    });
  });

  it('that no certificate names is missing with require, and by default not', async () => {
    processor.publishes(await processor.renewed({ keys: leaf.keys }));
    expect(await check()).toMatchObject({ valid: true, detail: 'the certificates name no revocation list' });
    expect(await check(createVerifier(options({ revocation: 'require' })))).toMatchObject({
      valid: false,
      detail: 'a certificate names no revocation list',
    });
  });

  it('that each certificate names satisfies require', async () => {
    expect(await check(createVerifier(options({ revocation: 'require' })))).toMatchObject({
      valid: true,
      detail: 'not revoked by 1 lists',
    });
  });

  it.each<[string, ListWish]>([
    ['is for authorities only', { extensions: [issuingPoint(LIST, Buffer.from('8201ff', 'hex'))] }],
    ['is for some reasons only', { extensions: [issuingPoint(LIST, Buffer.from('83020102', 'hex'))] }],
    ['covers certificates of others', { extensions: [issuingPoint(LIST, Buffer.from('8401ff', 'hex'))] }],
    ['adds to another list', { extensions: [new x509.Extension('2.5.29.27', true, Buffer.from('020101', 'hex'))] }],
  ])('proves nothing that %s', async (_, wish) => {
    await lists(wish);
    processor.pages.delete(SECOND);
    expect(await check()).toMatchObject({ valid: false, passed: false });
  });

  it('may limit its certificates and address', async () => {
    await lists({ extensions: [issuingPoint(LIST, Buffer.from('8101ff', 'hex'))] });
    expect(await check()).toMatchObject({ valid: true });
  });

  it('of an authority that may not sign lists proves nothing', async () => {
    const root = await makeParty({
      name: 'Example Root',
      keys: processor.root.keys,
      isAuthority: true,
      usage: x509.KeyUsageFlags.keyCertSign,
    });
    expect(await check(createVerifier(options({ trust: root.pem })))).toMatchObject({ valid: false, passed: false });
  });
});
