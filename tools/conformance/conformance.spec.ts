import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueCertificate, makeSandboxAuthority, type KeyAndCertificate } from '@opendsr-service/signing';
import { CATALOGUE } from './catalogue';
import type { Report } from './run';
import { EC_CHAIN_PEM } from './testing/ec-certificate';
import { FAILS } from './testing/fails';
import type { Fault } from './testing/faults';
import { itInFull, representative } from './testing/form';
import { DOMAINS, failedOf, Rig, type Wish } from './testing/rig';

let rig: Rig;

beforeAll(async () => {
  rig = await Rig.start();
});
afterAll(() => rig.close());

const rowsOf = ({ rows }: Report, outcome: string) =>
  rows.filter((row) => row.outcome === outcome).map(({ id, version }) => `${id} ${version}`);

/** Needs --slow, a 429, and portability requests that end while others are to stay pending. */
const NEVER_MET = [
  'groups.limit',
  'results.portability',
  'results.portability-nobody',
  'results.portability-zip',
  'throttling.retry-after',
  'throttling.seconds',
];

it('passes a processor that does everything right, in both versions', async () => {
  const found = await rig.report({ versions: ['1.0', '2.0'] });
  expect(found.rows.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(rowsOf(found, 'n/a').sort()).toEqual(NEVER_MET.flatMap((id) => [`${id} 1.0`, `${id} 2.0`]));
});

itInFull('passes the results of portability requests that end in time', async () => {
  const found = await rig.report({
    isPortabilityQuick: true,
    options: { only: ['results'], portabilityWaitMs: undefined },
  });
  expect(found.rows.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
});

const onV1 = { versions: ['1.0'] } as const;
/** What never comes is waited for no longer than this. */
const IN_VAIN_MS = 300;
const inVain: Wish = { options: { waitMs: IN_VAIN_MS } };

/** Faults that need their own kind of run, with the rows that they break. */
const special: Readonly<Partial<Record<Fault, Wish>>> = {
  'version 1 needs a regulation': onV1,
  'version 1 reads a regulation': onV1,
  'versions do not conflict': { versions: ['1.0', '2.0'] },
  'groups have no limit': { options: { slow: true } },
  'portability has no results': { isPortabilityQuick: true, options: { portabilityWaitMs: undefined } },
  'callbacks are not sent': inVain,
  'no callback for creation': inVain,
  // Shown by the end of a request, which has to come in this time.
  'callbacks to the first URL only': { options: { waitMs: 10 * IN_VAIN_MS } },
  'callbacks not sent again': inVain,
  'no callback for a cancel': inVain,
  '429 without Retry-After': { options: { only: ['status.id', 'throttling'] } },
};

/** Only the topics of these rows: the whole suite for each fault would take a minute. */
const topicsOf = (rows: readonly string[]): string[] => [...new Set(rows.map((id) => id.split('.')[0] ?? ''))];

const planted = representative(Object.entries(FAILS) as [Fault, readonly string[]][], 12);

const undecided = (found: Report) => found.rows.filter((row) => row.undecided).map(({ id }) => id);

it.each(planted)('finds: %s', async (broken, rows) => {
  const wish = special[broken];
  const found = await rig.report({
    broken,
    ...wish,
    options: { only: wish ? rows : topicsOf(rows), ...wish?.options },
  });
  expect(failedOf(found)).toEqual(rows);
});

it('has a fault that breaks each rule', () => {
  const broken = new Set([
    ...Object.values(FAILS).flat(),
    ...certificates.flatMap(([, , rows]) => rows),
    ...SAME_CERTIFICATE,
  ]);
  expect(CATALOGUE.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
});

it.each(['create.id-case', 'status.id-sent'])(
  'asks for %s without the notes: the interface says that receipts echo the id',
  (id) => {
    expect(CATALOGUE.find((rule) => rule.id === id)).toMatchObject({
      source: 'interface',
      section: 'Creation receipt',
    });
  },
);

const OF_CHANGES = [
  'callbacks.every-change',
  'callbacks.every-url',
  'callbacks.results-url',
  'callbacks.order',
  'callbacks.address',
  'callbacks.all-signed',
];

itInFull('cannot decide what follows an end that does not come, and does not wait for ever', async () => {
  const found = await rig.report({
    broken: 'never completes',
    options: { only: [...OF_CHANGES, 'results.url'], waitMs: IN_VAIN_MS },
  });
  expect(undecided(found)).toEqual([...OF_CHANGES, 'results.url']);
  expect(found.rows[0]?.detail).toBe('a request was still pending after 300 ms: give it more time');
});

it('says that a callback which is missing proves nothing before the processor has had a whole interval to send it', async () => {
  const found = await rig.report({
    broken: 'callbacks are not sent',
    options: { only: ['callbacks.created', 'callbacks.cancelled'], waitMs: IN_VAIN_MS, callbackIntervalMs: 900_000 },
  });
  expect(undecided(found)).toEqual(['callbacks.created', 'callbacks.cancelled']);
  expect(found.rows[0]?.detail).toBe('a callback is missing: waited only 300 ms; callbacks are sent every 15 min');
});

it('makes a pause where the processor asks for one, and goes on', async () => {
  const { rows } = await rig.report({ broken: 'first 429', options: { only: ['status', 'throttling'] } });
  expect(rows.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
});

itInFull('tries a rule again that failed while calls had to wait, for requests start meanwhile', async () => {
  const { rows } = await rig.report({ broken: 'requests start during a 429', options: { only: ['routes.slash'] } });
  expect(rows.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
});

itInFull('cancels what it made, unless it is to be kept', async () => {
  const only = ['create.regulations'];
  const [kept, cancelled] = [
    await rig.report({ options: { only } }),
    await rig.report({ options: { only, keep: false } }),
  ];
  expect({ calls: cancelled.calls - kept.calls, left: cancelled.left }).toEqual({ calls: 2, left: 0 });
});

it('leaves out rules that were not requested, and names what a rule needs', async () => {
  const { rows } = await rig.report({
    isOldLinkUnknown: true,
    options: { notes: false, only: ['certificate', 'groups.limit', 'results.gone'] },
  });
  expect(rows.every(({ source }) => source === 'interface')).toBe(true);
  expect(rows.at(-1)).toMatchObject({ id: 'results.gone', outcome: 'n/a', detail: 'needs --old-results-url' });
});

const domain = DOMAINS['2.0'];
const issue = (change: object) => async () =>
  issueCertificate({
    authority: await authority(),
    commonName: domain,
    dnsNames: [domain],
    usage: 'signing',
    days: 30,
    now: new Date(),
    ...change,
  });
const authority = async (): Promise<KeyAndCertificate> => ({
  keyPem: await readFile(join(rig.folder, 'authority.key'), 'utf8'),
  certPem: rig.fakeOptions.authorityPem,
});

const certificates: [
  string,
  () => Promise<Pick<KeyAndCertificate, 'certPem'> & Partial<KeyAndCertificate>>,
  string[],
][] = [
  ['has expired', issue({ now: new Date('2020-01-01') }), ['certificate.in-date']],
  [
    'carries another name',
    issue({ commonName: 'a.example', dnsNames: ['a.example'] }),
    ['certificate.domain', 'certificate.names'],
  ],
  ['carries a name more', issue({ commonName: 'a.example' }), ['certificate.names']],
  [
    'comes from nobody we know',
    async () =>
      issue({ authority: await makeSandboxAuthority({ commonName: 'elsewhere', days: 1, now: new Date() }) })(),
    ['certificate.chain'],
  ],
  [
    'is an authority',
    () => makeSandboxAuthority({ commonName: domain, days: 1, now: new Date() }),
    [
      'certificate.leaf-first',
      'certificate.names',
      'certificate.key-usage',
      'certificate.not-self-signed',
      'certificate.chain',
    ],
  ],
  [
    'has no RSA key, and signed itself',
    () => Promise.resolve({ certPem: EC_CHAIN_PEM }),
    ['certificate.rsa', 'certificate.not-self-signed', 'certificate.chain'],
  ],
];

it.each(representative(certificates, 3))('finds: the certificate %s', async (_what, make, rows) => {
  const { keyPem, certPem: chainPem } = await make();
  expect(
    failedOf(
      await rig.report({
        signers: { '2.0': { chainPem, ...(keyPem !== undefined && { keyPem }) } },
        options: { only: ['certificate'] },
      }),
    ),
  ).toEqual(rows);
});

const SAME_CERTIFICATE = ['certificate.distinct'];

itInFull('finds: one certificate for both versions', async () => {
  const found = await rig.report({
    versions: ['1.0', '2.0'],
    signers: { '1.0': rig.fakeOptions.signers['2.0'] },
    options: { only: ['certificate'] },
  });
  expect(failedOf(found)).toEqual(SAME_CERTIFICATE);
});

it('has ids that differ, titles that fit 120 columns, and a topic for each', () => {
  expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length);
  for (const { id, title } of CATALOGUE)
    expect({ id, fits: title.length <= 71 && id.length <= 32 && /^[a-z]+\.[a-z0-9.-]+$/.test(id) }).toEqual({
      id,
      fits: true,
    });
});
