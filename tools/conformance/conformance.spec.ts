import 'reflect-metadata';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSandboxCertificates, issueCertificate, makeSandboxAuthority, type CertificateFiles, type KeyAndCertificate } from '@opendsr-service/signing';
import { Receiver } from '../receiver/receiver';
import { CATALOGUE } from './catalogue';
import { runConformance, type Report } from './run';
import type { ConformanceOptions, Target } from './target';
import { KNOWN_EMAIL } from './testing/fake-intake';
import { ACCOUNTS, FakeProcessor, type FakeOptions, type FakeSigner } from './testing/fake-processor';
import type { Fault } from './testing/faults';

const domains = { '1.0': 'opengdpr.fake.example', '2.0': 'opendsr.fake.example' } as const;
const V2_ONLY = { '2.0': true } as const;
const quick = { notes: true, callsPerMinute: 0, waitMs: 10_000, keep: true } as const;

let folder: string;
let authorityPem: string;
let signers: FakeOptions['signers'];
let receiver: Receiver;

const read = (file: string) => readFile(file, 'utf8');
const signerOf = async (domain: string, { keyFile, chainFile }: CertificateFiles): Promise<FakeSigner> => ({ domain, keyPem: await read(keyFile), chainPem: await read(chainFile) });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opendsr-conformance-'));
  const made = await ensureSandboxCertificates(folder, { domainV2: domains['2.0'], domainV1: domains['1.0'], now: new Date() });
  authorityPem = await read(made.authorityFile);
  signers = { '1.0': await signerOf(domains['1.0'], made.v1), '2.0': await signerOf(domains['2.0'], made.v2) };
  receiver = await Receiver.start({ keyPem: await read(made.receiver.keyFile), chainPem: await read(made.receiver.chainFile) });
});

afterAll(async () => {
  await receiver.close();
  await rm(folder, { recursive: true });
});

interface Wish {
  readonly broken?: Fault;
  readonly signer?: Partial<FakeSigner>;
  readonly versions?: Readonly<Partial<Record<'1.0' | '2.0', true>>>;
  readonly options?: Partial<ConformanceOptions>;
}

/** Runs the suite against a fake that does one thing wrong, with everything that rules may need. */
async function report({ broken, signer, versions = V2_ONLY, options }: Wish): Promise<Report> {
  const fake = await FakeProcessor.start({ signers: { ...signers, '2.0': { ...signers['2.0'], ...signer } }, authorityPem, broken });
  const target: Target = {
    baseUrls: { ...(versions['1.0'] && { '1.0': fake.url }), ...(versions['2.0'] && { '2.0': fake.url }) },
    account: ACCOUNTS.first,
    other: ACCOUNTS.second,
    domains: Object.values(domains),
    authorityPem,
    receiver,
    known: { type: 'email', value: KNOWN_EMAIL },
    oldResultsUrl: undefined,
  };
  try {
    return await runConformance(target, { ...quick, ...options });
  } finally {
    await fake.close();
  }
}

const idsOf = ({ rows }: Report, outcome: string) => rows.filter((row) => row.outcome === outcome).map(({ id, version }) => `${id} ${version}`);
const failedOf = (found: Report) => found.rows.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);

const NEVER_MET = ['groups.limit', 'results.gone', 'throttling.retry-after', 'throttling.seconds'];

it('passes a processor that does everything right, in both versions', async () => {
  const found = await report({ versions: { '1.0': true, '2.0': true } });
  expect(found.rows.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(idsOf(found, 'n/a').sort()).toEqual(NEVER_MET.flatMap((id) => [`${id} 1.0`, `${id} 2.0`]));
});

/** What each fault makes fail, and nothing else of the same topics. */
const faults: Readonly<Record<Exclude<Fault, keyof typeof late | 'first 429' | '429 without Retry-After'>, readonly string[]>> = {
  'create answers 200': ['create.status'],
  'no Content-Type on receipts': ['create.content-type', 'create.strict-content-type'],
  'no domain header on receipts': ['certificate.domain', 'certificate.allowed-domain', 'certificate.names', 'routes.headers', 'create.domain-header'],
  'no signature on receipts': ['create.signature-header', 'create.signature'],
  'signature over other bytes': ['create.signature', 'status.signed', 'groups.signed', 'cancel.signed', 'callbacks.signature', 'callbacks.all-signed', 'callbacks.retry'],
  'encoded_request is made anew': ['create.encoded-bytes'],
  'own id in receipts': ['create.id-echo', 'create.id-case'],
  'another controller_id each time': ['create.controller-id', 'status.controller-id'],
  'times with an offset': ['create.times', 'status.times', 'cancel.times', 'cancel.record'],
  'no regulation is needed': ['refuse.no-regulation', 'refuse.regulation', 'refuse.regulation-type'],
  'any id is taken': ['refuse.id', 'refuse.id-version', 'refuse.all-faults'],
  'hashed identities are taken': ['refuse.hashed'],
  'an identity type is unknown': ['identities.types'],
  'the other Roku spelling is unknown': ['identities.roku', 'identities.roku-same'],
  'mpids through a number': ['identities.mpids-large'],
  'extension types outside are taken': ['identities.extension-needed'],
  'only the first fault is named': ['refuse.all-faults'],
  'a bare body is taken': ['refuse.malformed'],
  'no conflict': ['identities.roku-same', 'identities.mpids-large', 'identities.mpids-text', 'identities.inside', 'conflict.same', 'conflict.order', 'conflict.normalised', 'conflict.other-words', 'conflict.cancelled', 'errors.body-409'],
  'the order of identities matters': ['conflict.order'],
  'a conflict for ever': ['conflict.cancelled', 'conflict.completed'],
  'an existing id is 409': ['refuse.exists', 'refuse.exists-changed', 'refuse.exists-case', 'conflict.exists-first'],
  'unknown ids are 400': ['status.unknown', 'status.no-id', 'cancel.unknown', 'isolation.status', 'isolation.cancel'],
  'status not signed': ['status.signed', 'groups.signed'],
  'status says group_id nothing': ['status.fields', 'status.no-group', 'groups.fields', 'groups.status'],
  'results_url from the beginning': ['status.results', 'callbacks.results'],
  'unknown groups are 404': ['groups.unknown', 'groups.signed', 'isolation.group'],
  'groups match by their beginning': ['groups.members', 'groups.fields'],
  'groups have no limit': ['groups.limit'],
  'cancel answers 200': ['cancel.202'],
  'cancel receipt has a time': ['cancel.expected-time'],
  'cancel changes nothing': ['conflict.cancelled', 'cancel.status', 'cancel.twice', 'cancel.twice-fault'],
  'cancel twice is fine': ['cancel.twice', 'cancel.twice-fault'],
  'any secret': ['credentials.wrong-secret', 'credentials.no-colon', 'credentials.first'],
  'lists are public': ['credentials.none', 'credentials.wrong-secret', 'credentials.unknown-key', 'credentials.no-base64', 'credentials.no-colon', 'credentials.empty', 'credentials.bearer'],
  'error without errors': ['refuse.exists', 'refuse.all-faults', 'identities.extension-needed', 'cancel.twice-fault', 'cancel.completed-fault', 'errors.body-400', 'errors.body-401', 'errors.body-404', 'errors.body-409', 'errors.404-route', 'errors.body-405', 'errors.body-413', 'errors.body-415'],
  'error code is text': ['errors.body-400', 'errors.body-401', 'errors.body-404', 'errors.body-409', 'errors.404-route', 'errors.body-405', 'errors.body-413', 'errors.body-415'],
  'no Allow': ['errors.allow'],
  'large bodies are taken': ['errors.body-413', 'errors.413'],
  'discovery without a type': ['discovery.identity-types'],
  'discovery minds wrong credentials': ['discovery.any-credentials'],
  'discovery names the other version': ['discovery.api-version'],
  'callbacks not signed': ['callbacks.domain-header', 'callbacks.signature-header', 'callbacks.signature', 'callbacks.all-signed', 'callbacks.retry'],
  'callbacks have no results_url': ['callbacks.results-url'],
  'callbacks sent twice': ['callbacks.order'],
  'callbacks follow redirects': ['callbacks.redirect'],
  'results are forbidden': ['results.download', 'results.zip', 'results.any-credentials'],
  'workspaces see each other': ['isolation.status', 'isolation.cancel', 'isolation.group'],
  'workspaces conflict': ['isolation.conflict'],
  'a slash is another address': ['routes.slash'],
};

/** Faults that show as something that never comes: these rows are not applicable, since the time of --wait is over. */
const late = {
  'callbacks to the first URL only': ['callbacks.every-url', 'callbacks.order', 'callbacks.address', 'callbacks.all-signed'],
  'callbacks not sent again': ['callbacks.retry', 'callbacks.redirect'],
  'cancel is not told': ['callbacks.cancelled'],
  'never completes': ['callbacks.every-change', 'callbacks.every-url', 'callbacks.results-url', 'callbacks.order', 'callbacks.address', 'callbacks.all-signed'],
} as const satisfies Readonly<Partial<Record<Fault, readonly string[]>>>;

/** Of the topics alone that the rows belong to: the whole suite for each fault would take a minute. */
const topicsOf = (rows: readonly string[]): string[] => [...new Set(rows.map((id) => id.split('.')[0] ?? ''))];

it.each(Object.entries(faults) as [Fault, readonly string[]][])('finds: %s', async (broken, rows) => {
  const found = await report({ broken, options: { slow: broken === 'groups have no limit', only: topicsOf(rows) } });
  expect(failedOf(found)).toEqual(rows);
});

it.each(Object.entries(late) as [Fault, readonly string[]][])('does not wait for ever: %s', async (broken, rows) => {
  const found = await report({ broken, options: { only: topicsOf(rows), waitMs: 500 } });
  expect(failedOf(found)).toEqual([]);
  expect(idsOf(found, 'n/a')).toEqual(rows.map((id) => `${id} 2.0`));
});

it('makes a pause where the processor asks for one, and goes on', async () => {
  const { rows } = await report({ broken: 'first 429', options: { only: ['status', 'throttling'] } });
  expect(rows.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
});

it('finds: 429 without Retry-After', async () => {
  expect(failedOf(await report({ broken: '429 without Retry-After', options: { only: ['status.id', 'throttling'] } }))).toEqual(['throttling.retry-after', 'throttling.seconds']);
});

it('cancels what it made, unless it is to be kept', async () => {
  const only = ['create.regulations'];
  const [kept, cancelled] = [await report({ options: { only } }), await report({ options: { only, keep: false } })];
  expect({ calls: cancelled.calls - kept.calls, left: cancelled.left }).toEqual({ calls: 2, left: 0 });
});

it('leaves out what nobody asked for, and says what a rule would need', async () => {
  const { rows } = await report({ options: { notes: false, only: ['certificate', 'groups.limit', 'results.gone'] } });
  expect(rows.every(({ source }) => source === 'interface')).toBe(true);
  expect(rows.at(-1)).toMatchObject({ id: 'results.gone', outcome: 'n/a', detail: 'needs --old-results-url' });
});

const issue = (change: object) => async () => issueCertificate({ authority: await authority(), commonName: domains['2.0'], dnsNames: [domains['2.0']], usage: 'signing', days: 30, now: new Date(), ...change });
const authority = async (): Promise<KeyAndCertificate> => ({ keyPem: await read(join(folder, 'authority.key')), certPem: authorityPem });

it.each<[string, () => Promise<KeyAndCertificate>, string[]]>([
  ['has expired', issue({ now: new Date('2020-01-01') }), ['certificate.in-date']],
  ['carries another name', issue({ commonName: 'a.example', dnsNames: ['a.example'] }), ['certificate.domain', 'certificate.names']],
  ['carries a name more', issue({ commonName: 'a.example' }), ['certificate.names']],
  ['comes from nobody we know', async () => issue({ authority: await makeSandboxAuthority({ commonName: 'elsewhere', days: 1, now: new Date() }) })(), ['certificate.chain']],
  ['is an authority', () => makeSandboxAuthority({ commonName: domains['2.0'], days: 1, now: new Date() }), ['certificate.leaf-first', 'certificate.names', 'certificate.key-usage', 'certificate.not-self-signed', 'certificate.chain']],
])('finds: the certificate %s', async (_what, make, rows) => {
  const { keyPem, certPem: chainPem } = await make();
  expect(failedOf(await report({ signer: { keyPem, chainPem }, options: { only: ['certificate'] } }))).toEqual(rows);
});

it('has ids that differ, titles that fit 120 columns, and a topic for each', () => {
  expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(CATALOGUE.length);
  for (const { id, title } of CATALOGUE) expect({ id, fits: title.length <= 71 && id.length <= 32 && /^[a-z]+\.[a-z0-9.-]+$/.test(id) }).toEqual({ id, fits: true });
});
