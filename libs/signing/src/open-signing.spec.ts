import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  issueCertificate,
  makeSandboxAuthority,
  type CertificateOptions,
  type KeyAndCertificate,
} from './issue-certificate';
import { openSigning, type BeforeRenewal, type Signing } from './open-signing';
import { newKeys } from './rsa-keys';
import { SigningError } from './signing-error';
import { UNFIT, type Place } from './testing/unfit';
import { verifySignature } from './verify';

const root = mkdtempSync(join(tmpdir(), 'signing-'));
afterAll(() => rmSync(root, { recursive: true }));

const DAY_MS = 24 * 3600 * 1000;
const start = new Date('2026-01-01T00:00:00Z');
const domain = 'opendsr.example.com';
const body = Buffer.from('{}');

let authority: KeyAndCertificate;
let first: KeyAndCertificate;
let second: KeyAndCertificate;
let keys: Place['keys'];
const issue = (wish: Partial<CertificateOptions> = {}) =>
  issueCertificate({
    authority,
    commonName: domain,
    dnsNames: [domain],
    usage: 'signing',
    days: 100,
    now: start,
    ...wish,
  });

beforeAll(async () => {
  authority = await makeSandboxAuthority({ commonName: 'test authority', days: 1000, now: start });
  [first, second] = [await issue(), await issue({ days: 200 })];
  keys = await newKeys();
});

/** A folder like a mounted Kubernetes secret: the files link to `..data`, which is swapped as a whole. */
class Secret {
  readonly dir = mkdtempSync(join(root, 'secret-'));
  readonly files = { keyFile: join(this.dir, 'tls.key'), chainFile: join(this.dir, 'tls.crt') };
  private count = 0;

  constructor(contents: KeyAndCertificate) {
    this.swap(contents);
    symlinkSync('..data/tls.key', this.files.keyFile);
    symlinkSync('..data/tls.crt', this.files.chainFile);
  }

  swap({ keyPem, certPem }: KeyAndCertificate): void {
    const version = `..${this.count++}`;
    mkdirSync(join(this.dir, version));
    writeFileSync(join(this.dir, version, 'tls.key'), keyPem);
    writeFileSync(join(this.dir, version, 'tls.crt'), certPem);
    symlinkSync(version, join(this.dir, '..data_tmp'));
    renameSync(join(this.dir, '..data_tmp'), join(this.dir, '..data'));
  }
}

class Diary {
  readonly lines: { level: string; version: string; reason: string; message: string }[] = [];
  readonly log = { info: this.at('info'), warn: this.at('warn'), error: this.at('error') };

  private at(level: string) {
    return ({ version, reason }: { version: string; reason: string }, message: string) =>
      void this.lines.push({ level, version, reason, message });
  }
}

async function open(contents = first) {
  const secret = new Secret(contents);
  const diary = new Diary();
  const clock = {
    nowMs: start.getTime(),
    now() {
      return new Date(this.nowMs);
    },
  };
  const signing = await openSigning({ v2: { ...secret.files, domain } }, { clock, log: diary.log });
  return { secret, diary, clock, signing };
}

const valueOf = ({ metrics }: Signing, name: string): Record<string, number> =>
  Object.fromEntries(
    metrics
      .find((one) => one.name === `opendsr_signing_certificate_${name}`)
      ?.read()
      .map(({ labels, value }) => [labels.version, value]) ?? [],
  );
const rejected = (signing: Signing) => valueOf(signing, 'rejected').v2;
/** Whether a new signature verifies under this certificate. */
const signsWith = async ({ signers }: Signing, { certPem }: KeyAndCertificate) =>
  verifySignature(body, await signers.v2.sign(body), certPem) && signers.v2.certificatePem === certPem;

it('uses a new key and certificate after the next check, in existing signers too', async () => {
  const { secret, diary, signing } = await open();
  const held = signing.signers.v2;
  const before = { ...{ name: held.publishedName, fingerprint: held.fingerprint, notAfter: held.notAfter } };
  secret.swap(second);
  expect(await signsWith(signing, first)).toBe(true);
  await signing.checkFiles();
  expect(await signsWith(signing, second)).toBe(true);
  expect(signing.signers.v2).toBe(held);
  expect([
    held.publishedName === before.name,
    held.fingerprint === before.fingerprint,
    held.notAfter > before.notAfter,
  ]).toEqual([false, false, true]);
  expect(diary.lines).toEqual([
    {
      level: 'info',
      version: 'v2',
      reason: `valid until ${held.notAfter.toISOString()}`,
      message: 'A new signing certificate is in force',
    },
  ]);
});

it('logs nothing while the files are unchanged, and accepts an earlier certificate again', async () => {
  const { secret, diary, signing } = await open();
  await signing.checkFiles();
  secret.swap(first);
  await signing.checkFiles();
  expect(diary.lines).toEqual([]);
  for (const [contents, lines] of [
    [second, 1],
    [first, 2],
  ] as const) {
    secret.swap(contents);
    await signing.checkFiles();
    expect(await signsWith(signing, contents)).toBe(true);
    expect(diary.lines).toHaveLength(lines);
  }
});

describe('an unfit file', () => {
  const half = (one: KeyAndCertificate) => ({ ...one, certPem: one.certPem.slice(0, 200) });
  type Row = [what: string, reason: RegExp, make: () => Promise<KeyAndCertificate> | KeyAndCertificate];
  it.each<Row>([
    ['the key of another certificate', /no certificate there belongs/, () => ({ ...second, keyPem: first.keyPem })],
    ['a file that is half written', /does not hold certificates/, () => half(second)],
    ['an empty file', /does not hold an unencrypted private key/, () => ({ ...second, keyPem: '' })],
    [
      'a chain in the wrong order',
      /must stand first/,
      () => ({ ...second, certPem: authority.certPem + second.certPem }),
    ],
    ...UNFIT.map(({ what, reason, make }): Row => [what, reason, () => make({ authority, domain, now: start, keys })]),
  ])('changes only the metric, and the log once, until it is fixed: %s', async (_, reason, make) => {
    const { secret, diary, signing } = await open();
    const wrong = await make();
    secret.swap(wrong);
    for (let looks = 0; looks < 4; looks++) await signing.checkFiles();
    expect(diary.lines).toEqual([
      {
        level: 'error',
        version: 'v2',
        reason: expect.stringMatching(reason) as string,
        message: 'A new signing certificate is unfit, so the old one stays in force',
      },
    ]);
    expect(JSON.stringify(diary.lines)).not.toContain(wrong.keyPem.slice(40, 80) || 'PRIVATE');
    expect([rejected(signing), await signsWith(signing, first)]).toEqual([1, true]);
    secret.swap(second);
    await signing.checkFiles();
    expect([rejected(signing), await signsWith(signing, second)]).toEqual([0, true]);
  });

  it('is not reported if the next check finds it fixed, as between the replacements of two files', async () => {
    const { secret, diary, signing } = await open();
    secret.swap({ ...first, certPem: second.certPem });
    await signing.checkFiles();
    expect([rejected(signing), diary.lines]).toEqual([0, []]);
    secret.swap(second);
    await signing.checkFiles();
    expect([rejected(signing), await signsWith(signing, second), diary.lines.length]).toEqual([0, true, 1]);
    secret.swap({ ...first, certPem: second.certPem });
    await signing.checkFiles();
    expect(rejected(signing)).toBe(0);
  });

  it('is reported again if it returns after a fix, and beside another fault', async () => {
    const { secret, diary, signing } = await open();
    for (const contents of [half(second), { ...second, keyPem: '' }, first, half(second)]) {
      secret.swap(contents);
      await signing.checkFiles();
      await signing.checkFiles();
    }
    expect(diary.lines.map(({ reason }) => /certificates|private key/.exec(reason)?.[0])).toEqual([
      'certificates',
      'private key',
      'certificates',
    ]);
  });

  it('may be a missing file, and becomes fit when its validity begins', async () => {
    const { secret, diary, clock, signing } = await open();
    rmSync(secret.files.keyFile);
    await signing.checkFiles();
    await signing.checkFiles();
    expect(diary.lines.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/tls\.key cannot be read \(ENOENT\)/),
    ]);
    symlinkSync('..data/tls.key', secret.files.keyFile);
    const later = await issue({ now: new Date(start.getTime() + 10 * DAY_MS) });
    secret.swap(later);
    await signing.checkFiles();
    expect(await signsWith(signing, first)).toBe(true);
    clock.nowMs += 10 * DAY_MS;
    await signing.checkFiles();
    expect([rejected(signing), await signsWith(signing, later)]).toEqual([0, true]);
  });

  it('refuses to start', async () => {
    await expect(open({ ...first, keyPem: second.keyPem })).rejects.toThrow(SigningError);
  });
});

it('uses nothing before the announcement, and retries a failed announcement', async () => {
  const { secret, signing } = await open();
  const renewed: string[] = [];
  let isAway = true;
  const announce: BeforeRenewal = async (next) => {
    expect(await signsWith(signing, first)).toBe(true);
    if (isAway) throw new Error('the database is away');
    renewed.push(next.publishedName);
  };
  signing.beforeRenewal(announce);
  secret.swap(second);
  await expect(signing.checkFiles()).rejects.toThrow('the database is away');
  expect(await signsWith(signing, first)).toBe(true);
  isAway = false;
  await signing.checkFiles();
  expect([renewed, await signsWith(signing, second)]).toEqual([[signing.signers.v2.publishedName], true]);
});

it('checks each version separately, under its own name', async () => {
  const v1Domain = 'opengdpr.example.com';
  const [secret, secretV1] = [
    new Secret(first),
    new Secret(await issue({ commonName: v1Domain, dnsNames: [v1Domain] })),
  ];
  const { log, lines } = new Diary();
  const signing = await openSigning(
    { v2: { ...secret.files, domain }, v1: { ...secretV1.files, domain: v1Domain } },
    { clock: { now: () => start }, log },
  );
  secret.swap(second);
  secretV1.swap(second);
  await signing.checkFiles();
  await signing.checkFiles();
  expect(valueOf(signing, 'rejected')).toEqual({ v2: 0, v1: 1 });
  expect(lines.map(({ level, version }) => [level, version])).toEqual([
    ['info', 'v2'],
    ['error', 'v1'],
  ]);
  expect([signing.signers.v2.publishedName, signing.signers.v1?.publishedName]).toEqual([
    expect.stringMatching(/^opendsr-/),
    expect.stringMatching(/^opengdpr-/),
  ]);
});

it('warns of the end of a certificate once for each distance, also at the start, and logs an error when it has expired', async () => {
  const ending = await issue({ days: 20 });
  const { secret, diary, clock, signing } = await open(ending);
  const levels = () =>
    diary.lines
      .splice(0)
      .map(({ level, message }) => `${level} ${/\d+ days|expired|in force/.exec(message)?.[0] ?? ''}`);
  expect(valueOf(signing, 'expiry_timestamp_seconds')).toEqual({ v2: start.getTime() / 1000 + 20 * 86_400 });
  const seen = [levels()];
  for (const days of [0, 6, 1, 10, 3.5, 1]) {
    clock.nowMs += days * DAY_MS;
    await signing.checkFiles();
    seen.push(levels());
  }
  expect(seen).toEqual([['warn 30 days'], [], ['warn 14 days'], [], ['warn 3 days'], ['error expired'], []]);
  secret.swap(second);
  await signing.checkFiles();
  expect(levels()).toEqual(['info in force']);
  expect(valueOf(signing, 'expiry_timestamp_seconds')).toEqual({ v2: start.getTime() / 1000 + 200 * 86_400 });
});
