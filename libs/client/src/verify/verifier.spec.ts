import { V2 } from '@opendsr-service/contracts';
import { callbackOf, Processor, type SignedMessage } from '../testing/processor';
import { bodyWith, DOMAIN, MINE } from '../testing/vector-world';
import type { HeaderSource, VerifyOptions } from './types';
import { createVerifier, type Verifier } from './verifier';
import { verifyCallback } from './verify-callback';

let processor: Processor;
let options: VerifyOptions;
let verifier: Verifier;
let good: SignedMessage;
let forged: SignedMessage;

const [DISCOVERY, CERTIFICATE] = ['/v2/discovery', '/first.pem'];
const page = (path: string) => `https://${DOMAIN}${path}`;
const verdictOf = async ({ body, headers }: SignedMessage) => {
  const verdict = await verifier.verify(body, headers);
  return verdict.valid || verdict.failed;
};

beforeAll(async () => {
  const opened = await Processor.open();
  processor = opened;
  good = await callbackOf(opened.leaf);
  forged = { ...good, body: Buffer.from('{}') };
});

beforeEach(() => {
  processor = new Processor(processor.root, processor.leaf);
  processor.publishes(processor.leaf);
  options = {
    allowedDomains: [DOMAIN],
    callbackUrls: [MINE],
    trust: processor.root.pem,
    now: () => processor.now,
    fetch: processor.fetch,
  };
  verifier = createVerifier(options);
});

describe('a good callback', () => {
  it('returns its content, its domain and its delivery id', async () => {
    expect(await verifier.verify(good.body, good.headers)).toMatchObject({
      valid: true,
      version: '2.0',
      domain: DOMAIN,
      deliveryId: 'd-1',
      callback: JSON.parse(bodyWith().toString()) as object,
    });
  });

  it('is valid under another delivery id, which therefore does not identify repeats', async () => {
    const again = await verifier.verify(good.body, { ...good.headers, 'X-Delivery-Id': 'd-2' });
    expect(again).toMatchObject({
      valid: true,
      deliveryId: 'd-2',
      callback: JSON.parse(bodyWith().toString()) as object,
    });
  });

  it.each<[string, (entries: [string, string][]) => HeaderSource]>([
    ['an object of lists', (entries) => Object.fromEntries(entries.map(([name, value]) => [name, [value]]))],
    ['small letters', (entries) => Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]))],
    ['the Headers of fetch', (entries) => new Headers(entries)],
  ])('is valid with its headers as %s', async (_, as) => {
    expect(await verdictOf({ ...good, headers: as(Object.entries(good.headers) as [string, string][]) })).toBe(true);
  });

  it('is for a URL that a function accepts, and not if the function throws', async () => {
    const verify = (callbackUrls: VerifyOptions['callbackUrls']) =>
      createVerifier({ ...options, callbackUrls }).verify(good.body, good.headers);
    expect(await verify((url) => url === MINE)).toMatchObject({ valid: true });
    expect(await verify(() => false)).toMatchObject({ failed: 'url' });
    expect(
      await verify(() => {
        throw new Error('x');
      }),
    ).toMatchObject({ failed: 'url' });
  });

  it('uses the base URL of its domain and the discovery of its version', async () => {
    processor.pages.set('https://api.example/dsr/v2/discovery', () =>
      Response.json({ processor_certificate: page(CERTIFICATE) }),
    );
    verifier = createVerifier({ ...options, allowedDomains: { [DOMAIN]: 'https://api.example/dsr/' } });
    expect(await verdictOf(good)).toBe(true);
    expect(processor.takeAsked()).toEqual(['https://api.example/dsr/v2/discovery', CERTIFICATE]);
  });

  it('is verified with a stored certificate without any call', async () => {
    verifier = createVerifier({ ...options, certificatePem: processor.leaf.pem });
    expect(await verdictOf(good)).toBe(true);
    expect(await verdictOf(forged)).toBe('signature');
    expect(processor.takeAsked()).toEqual([]);
  });

  it('is a valid signed answer with any body', async () => {
    const answer = await callbackOf(processor.leaf, Buffer.from('[]'));
    expect(await verifier.verifySigned(answer.body, answer.headers)).toMatchObject({
      valid: true,
      version: '2.0',
      domain: DOMAIN,
    });
    expect(await verifier.verifySigned(Buffer.from('[1]'), answer.headers)).toMatchObject({
      valid: false,
      failed: 'signature',
    });
  });
});

describe('the certificate', () => {
  /** A callback arrives a second before discovery names its certificate, and again afterwards. */
  const expectEarlyBelievedSoon = async () => {
    const next = await processor.renewed();
    const early = await callbackOf(next);
    expect(await verdictOf(early)).toBe('signature');
    processor.publishes(next, '/second.pem');
    processor.passes(1 / 60);
    expect(await verdictOf(early)).toBe(true);
  };

  it('is fetched once for concurrent callbacks', async () => {
    expect(await Promise.all(Array.from({ length: 20 }, () => verdictOf(good)))).toEqual(Array(20).fill(true));
    expect(processor.takeAsked()).toEqual([DISCOVERY, CERTIFICATE]);
  });

  it('is cached by its address, and discovery for five minutes', async () => {
    await verdictOf(good);
    processor.passes(4);
    await verdictOf(good);
    expect(processor.takeAsked()).toEqual([DISCOVERY, CERTIFICATE]);
    processor.passes(2);
    expect(await verdictOf(good)).toBe(true);
    expect(processor.takeAsked()).toEqual([DISCOVERY]);
  });

  it('stays valid while discovery is unreachable, which is read once a minute', async () => {
    await verdictOf(good);
    processor.pages.clear();
    processor.passes(6);
    processor.takeAsked();
    for (let i = 0; i < 5; i++) expect(await verdictOf(good)).toBe(true);
    expect(processor.takeAsked()).toEqual([DISCOVERY]);
    processor.passes(1);
    expect(await verdictOf(good)).toBe(true);
    expect(processor.takeAsked()).toEqual([DISCOVERY]);
  });

  it.each([
    ['another address', '/second.pem'],
    ['the same address', CERTIFICATE],
  ])('is read again when a signature does not match, so that a rotation to %s needs no restart', async (_, path) => {
    await verdictOf(good);
    const next = await processor.renewed();
    processor.publishes(next, path);
    expect(await verdictOf(await callbackOf(next))).toBe(true);
    expect(await verdictOf(await callbackOf(next))).toBe(true);
    expect(processor.takeAsked()).toEqual([DISCOVERY, CERTIFICATE, DISCOVERY, path]);
  });

  it('is read again when it has expired', async () => {
    await verdictOf(good);
    const until = new Date('2027-01-01T00:00:00Z');
    const root = {
      ...processor.root,
      ...(await processor.renewed({ name: 'Example Root', keys: processor.root.keys, isAuthority: true, until })),
    };
    verifier = createVerifier({ ...options, trust: root.pem });
    expect(await verdictOf(good)).toBe(true);
    processor.now = new Date('2026-07-01T00:00:00Z');
    expect(await verdictOf(good)).toBe('dates');
    processor.publishes(await processor.renewed({ keys: processor.leaf.keys, until }));
    processor.passes(2);
    expect(await verdictOf(good)).toBe(true);
  });

  it('is read once for concurrent forgeries', async () => {
    await verdictOf(good);
    processor.takeAsked();
    for (let i = 0; i < 50; i++) expect(await verdictOf(forged)).toBe('signature');
    expect(processor.takeAsked()).toEqual([DISCOVERY, CERTIFICATE]);
    processor.passes(1);
    await Promise.all(Array.from({ length: 20 }, () => verdictOf(forged)));
    expect(processor.takeAsked()).toEqual([DISCOVERY, CERTIFICATE]);
  });

  it('is read for continuing forgeries after 1, 2, 4 seconds and so on, at last once a minute', async () => {
    await verdictOf(good);
    processor.takeAsked();
    const lookedUpAt: number[] = [];
    for (let second = 0; second < 250; second++) {
      await verdictOf(forged);
      if (processor.takeAsked().length > 0) lookedUpAt.push(second);
      processor.passes(1 / 60);
    }
    expect(lookedUpAt).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  });

  it('is soon read again for a callback that arrives just before discovery names its certificate', async () => {
    await verdictOf(good);
    await expectEarlyBelievedSoon();
  });

  it('is soon read again also after forgeries long before', async () => {
    for (let second = 0; second < 100; second++) {
      await verdictOf(forged);
      processor.passes(1 / 60);
    }
    processor.passes(10);
    await expectEarlyBelievedSoon();
  });

  it('does not delay good callbacks while a forgery causes a slow read', async () => {
    await verdictOf(good);
    const discovery = Promise.withResolvers<Response>();
    processor.pages.set(page(DISCOVERY), () => discovery.promise);
    const stalled = verdictOf(forged);
    await new Promise(setImmediate);
    const first = await Promise.race([stalled, verdictOf(good)]);
    discovery.resolve(Response.json({ processor_certificate: page(CERTIFICATE) }));
    expect([first, await stalled]).toEqual([true, 'signature']);
    expect(processor.takeAsked()).toEqual([DISCOVERY, CERTIFICATE, DISCOVERY, CERTIFICATE]);
  });

  it('is read at most once a minute while it is unavailable', async () => {
    processor.pages.clear();
    expect(await verdictOf(good)).toBe('certificate');
    processor.passes(0.01);
    for (let i = 0; i < 20; i++) await verdictOf(good);
    expect(processor.takeAsked()).toEqual([DISCOVERY, DISCOVERY]);
    processor.publishes(processor.leaf);
    processor.passes(1);
    expect(await verdictOf(good)).toBe(true);
  });

  it('is not read for a domain that is not allowed, names of object properties included', async () => {
    for (const domain of ['opendsr.other.example', 'constructor', '__proto__', '']) {
      expect(await verdictOf({ ...good, headers: { ...good.headers, [V2.domainHeader]: domain } })).toBe('domain');
    }
    expect(processor.takeAsked()).toEqual([]);
  });

  it.each<[string, () => Response]>([
    ['is not JSON', () => new Response('<html>')],
    ['is null', () => Response.json(null)],
    ['names nothing', () => Response.json({})],
    ['names a number', () => Response.json({ processor_certificate: 1 })],
    ['names no URL', () => Response.json({ processor_certificate: '/first.pem' })],
    ['names an address without TLS', () => Response.json({ processor_certificate: 'http://127.0.0.1/first.pem' })],
    ['names a file', () => Response.json({ processor_certificate: 'file:///etc/passwd' })],
    [
      'names an address with a password',
      () => Response.json({ processor_certificate: 'https://a:b@nowhere.example/x' }),
    ],
    ['is an error', () => Response.json({ processor_certificate: page(CERTIFICATE) }, { status: 500 })],
    ['is elsewhere', () => Response.redirect(page('/elsewhere'))],
  ])('is not found if discovery %s', async (_, discovery) => {
    processor.pages.set(page(DISCOVERY), discovery);
    expect(await verdictOf(good)).toBe('certificate');
    expect(processor.takeAsked().filter((url) => url === CERTIFICATE)).toEqual([]);
  });
});

describe('any message of a stranger', () => {
  const bodies = ['', '{', 'null', '{"__proto__":{"x":1}}', '\u{feff}{}', '\0'.repeat(1000), '[['.repeat(50_000)].map(
    (text) => Buffer.from(text),
  );
  const values = [
    '',
    ' ',
    ',',
    '\0',
    '\u{1f600}',
    'A'.repeat(20_000),
    '====',
    [],
    ['', ''],
    [undefined],
    null,
    1,
    {},
  ] as unknown as string[];

  it('has a verdict and causes no error', async () => {
    for (const body of bodies) {
      for (const value of values) {
        expect(await verdictOf({ body, headers: { [V2.domainHeader]: DOMAIN, [V2.signatureHeader]: value } })).toMatch(
          /headers|signature/,
        );
        expect(await verdictOf({ body, headers: { [V2.domainHeader]: value, [V2.signatureHeader]: 'AAAA' } })).toMatch(
          /headers|domain/,
        );
      }
    }
  });

  it('causes no error with a correctly signed body', async () => {
    for (const body of bodies) expect(await verdictOf(await callbackOf(processor.leaf, body))).toBe('body');
  });

  it.each<[string, object]>([
    ['controller_id', { controller_id: 1402 }],
    ['expected_completion_time', { expected_completion_time: 'tomorrow' }],
    ['expected_completion_time', { expected_completion_time: '2026-13-01T00:00:00Z' }],
    ['subject_request_id', { subject_request_id: 'x' }],
    ['results_url', { results_url: {} }],
    ['extensions', { extensions: 'none' }],
    ['extensions', { extensions: [{ domain: 'a', name: 'b' }] }],
  ])('has a verdict that names an invalid %s without its value', async (name, change) => {
    const { body, headers } = await callbackOf(processor.leaf, bodyWith(change));
    const verdict = await verifier.verify(body, headers);
    expect(verdict.checks.at(-1)).toEqual({ check: 'body', passed: false, detail: `the body has no valid ${name}` });
  });

  it.each([{ api_version: '' }, { api_version: undefined }, { results_url: undefined, extensions: undefined }])(
    'a body with %j is completed',
    async (change) => {
      const { body, headers } = await callbackOf(processor.leaf, bodyWith(change));
      expect(await verifier.verify(body, headers)).toMatchObject({
        valid: true,
        callback: { api_version: '2.0', results_url: null, extensions: null },
      });
    },
  );
});

describe('verifyCallback', () => {
  it('caches downloads for each options object', async () => {
    for (let i = 0; i < 3; i++)
      expect(await verifyCallback(good.body, good.headers, options)).toMatchObject({ valid: true });
    expect(processor.takeAsked()).toEqual([DISCOVERY, CERTIFICATE]);
    await verifyCallback(good.body, good.headers, { ...options });
    expect(processor.takeAsked()).toEqual([DISCOVERY, CERTIFICATE]);
  });

  it.each<[string, Partial<VerifyOptions>]>([
    ['a base URL without TLS', { allowedDomains: { [DOMAIN]: 'http://processor.example' } }],
    ['a base URL with a fragment', { allowedDomains: { [DOMAIN]: 'https://api.example/#x' } }],
    ['a base URL with an empty query', { allowedDomains: { [DOMAIN]: 'https://api.example/?' } }],
    ['an invalid base URL', { allowedDomains: ['a b'] }],
    ['trust without a certificate', { trust: 'x' }],
    ['a time-out of 0', { timeoutMs: 0 }],
  ])('refuses %s', async (_, wrong) => {
    await expect(verifyCallback(good.body, good.headers, { ...options, ...wrong })).rejects.toThrow(TypeError);
  });

  it('trusts the authorities of Node by default', async () => {
    const { allowedDomains, callbackUrls, now, fetch } = options;
    expect(await verifyCallback(good.body, good.headers, { allowedDomains, callbackUrls, now, fetch })).toMatchObject({
      valid: false,
      failed: 'chain',
    });
  });
});
