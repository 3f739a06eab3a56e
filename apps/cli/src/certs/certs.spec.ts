import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ensureSandboxCertificates,
  issueCertificate,
  makeSandboxAuthority,
  type KeyAndCertificate,
  type SandboxCertificates,
} from '@opendsr-service/signing';
import { say as sayTo } from '../testing/say';
import { certsCheck } from './certs-check.command';
import { certsRequest } from './certs-request.command';
import { certsShow } from './certs-show.command';

const commands = [certsShow, certsCheck, certsRequest];
const DAY_MS = 86_400_000;
const now = new Date('2026-01-01T00:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
const domain = 'opendsr.example.com';
const text = (file: string) => readFileSync(file, 'utf8');

let folder: string;
let sandbox: SandboxCertificates;
let authority: KeyAndCertificate;
const file = (name: string) => join(folder, name);
const say = (line: string, env: Readonly<Record<string, string>> = { DATA_DIR: folder }, at = now) =>
  sayTo(line, { commands, env, now: () => at });

/** Files of an authority that this machine does not know, and the settings that name them. */
function configured({ keyPem, certPem }: KeyAndCertificate): Readonly<Record<string, string>> {
  writeFileSync(file('own.key'), keyPem);
  writeFileSync(file('own.pem'), certPem);
  return {
    DATA_DIR: folder,
    SERVE_V1: 'false',
    PROCESSOR_DOMAIN_V2: domain,
    SIGNING_KEY_FILE_V2: file('own.key'),
    SIGNING_CHAIN_FILE_V2: file('own.pem'),
    PUBLIC_URL_V2: 'https://dsr.example.com',
  };
}
const issue = (wish: Partial<Parameters<typeof issueCertificate>[0]> = {}) =>
  issueCertificate({ authority, commonName: domain, dnsNames: [domain], usage: 'signing', days: 90, now, ...wish });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'certs-'));
  sandbox = await ensureSandboxCertificates(file('certificates'), {
    domainV2: 'opendsr.localhost',
    domainV1: 'opengdpr.localhost',
    now,
  });
  authority = await makeSandboxAuthority({ commonName: 'company', days: 1000, now });
  writeFileSync(file('company.pem'), authority.certPem);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('dsr certs show', () => {
  it('shows what the sandbox made for each version, and where it is published', async () => {
    const { code, out, err } = await say('certs show');
    expect([code, err]).toEqual([0, []]);
    const leaf = new X509Certificate(text(sandbox.v2.chainFile));
    const name = `opendsr-${createHash('sha256').update(leaf.toString()).digest('hex').slice(0, 32)}.pem`;
    expect(out.slice(0, 12)).toEqual([
      'version 2.0, opendsr.localhost',
      `  file       ${sandbox.v2.chainFile}, made by the sandbox: nobody else trusts it`,
      '  subject    CN=opendsr.localhost',
      '  names      opendsr.localhost',
      '  issuer     CN=OpenDSR sandbox authority (not for production)',
      `  serial     ${leaf.serialNumber.toLowerCase()}`,
      '  valid      2025-12-31T23:00:00.000Z to 2027-02-02T00:00:00.000Z, 397 days left',
      '  key        RSA, 2048 bits',
      `  sha-256    ${createHash('sha256').update(leaf.raw).digest('hex')}`,
      `  sha-1      ${createHash('sha1').update(leaf.raw).digest('hex')}`,
      '  chain      no intermediates',
      `  immutable  http://localhost:8080/v2/certificates/${name}`,
    ]);
    expect(out[12]).toBe('  stable     http://localhost:8080/v2/certificates/opendsr.pem');
    expect(out[13]).toBe('version 1.0, opengdpr.localhost');
    expect(out.at(-2)).toMatch(
      /^ {2}immutable {2}http:\/\/localhost:8080\/v1\/certificates\/opengdpr-[0-9a-f]{32}\.pem$/,
    );
    expect(out.at(-1)).toBe('  stable     http://localhost:8080/v1/certificates/opengdpr.pem');
  });

  it('shows what is configured, at the addresses that are, and shows it though the services would refuse it', async () => {
    const env = configured(await issue());
    const { out } = await say('certs show', { ...env, CERT_URL_V2: 'https://certificates.example.com' });
    expect(out[0]).toBe(`version 2.0, ${domain}`);
    expect(out[1]).toBe(`  file       ${file('own.pem')}`);
    expect(out.at(-1)).toBe('  stable     https://certificates.example.com/opendsr.pem');
    const late = await say('certs show', env, inDays(91));
    expect(late.code).toBe(0);
    expect(late.out.join('\n')).toMatch(/valid .*, over\n[^]*immutable {2}none: the services refuse it/);
  });

  it('says what is missing where nothing is configured and no sandbox was there', async () => {
    const { code, err } = await say('certs show', { DATA_DIR: file('elsewhere') });
    expect(code).toBe(1);
    expect(err.join('\n')).toContain('SIGNING_KEY_FILE_V2 and SIGNING_CHAIN_FILE_V2: must be set');
  });
});

describe('dsr certs check', () => {
  it('finds nothing wrong with what the sandbox made, by the sandbox’s own authority', async () => {
    const { code, out } = await say('certs check');
    expect([code, out]).toEqual([
      0,
      [
        `version 2.0, opendsr.localhost, ${sandbox.v2.chainFile}`,
        '  ✓ the services can sign with it, and receivers can trust it',
        `version 1.0, opengdpr.localhost, ${sandbox.v1.chainFile}`,
        '  ✓ the services can sign with it, and receivers can trust it',
      ],
    ]);
  });

  it('trusts the authorities that it is given, and those that Node trusts where it is given none', async () => {
    const env = configured(await issue());
    expect((await say(`certs check --trust ${file('company.pem')}`, env)).code).toBe(0);
    const { code, out } = await say('certs check', env);
    expect([code, out[1]]).toEqual([
      1,
      '  ✗ receivers refuse it: it does not lead to a trusted authority (--trust names others)',
    ]);
  });

  it.each([
    [59, undefined],
    [60, 'within 30 days, at 2026-04-01T00:00:00.000Z: 30 days left'],
    [76, 'within 14 days'],
    [87, 'within 3 days'],
    [89.5, 'within 3 days, at 2026-04-01T00:00:00.000Z: 0 days left'],
  ])('on day %d of 90 warns: %s', async (day, warning) => {
    const env = configured(await issue());
    const { code, out } = await say(
      `certs check --trust ${file('company.pem')} --at ${inDays(day).toISOString()}`,
      env,
    );
    expect(code).toBe(0);
    expect(out.filter((line) => line.startsWith('  ! '))).toEqual(
      warning === undefined ? [] : [expect.stringContaining(`it ends ${warning}`)],
    );
  });

  it('names each fault once, whether services and receivers find it or one of them, and ends with 1', async () => {
    const faultsOf = async (made: KeyAndCertificate, more: Readonly<Record<string, string>> = {}) => {
      const { code, out } = await say(
        `certs check --trust ${file('company.pem')}`,
        { ...configured(made), ...more },
        inDays(0),
      );
      return [code, out.filter((line) => line.startsWith('  ✗ ')).join('\n')];
    };
    const good = await issue();
    expect(await faultsOf({ keyPem: (await issue()).keyPem, certPem: good.certPem })).toEqual([
      1,
      expect.stringContaining('the services refuse it: the first certificate in'),
    ]);
    expect(await faultsOf(await issue({ now: inDays(-91) }))).toEqual([
      1,
      expect.stringMatching(/^ {2}✗ the services refuse it: .* is valid from .*, not now$/),
    ]);
    expect(await faultsOf(good, { PROCESSOR_DOMAIN_V2: 'other.example' })).toEqual([
      1,
      expect.stringMatching(
        /^ {2}✗ the services refuse it: [^\n]* must carry other\.example as its only common name and as alternative name \([^\n]*\)$/,
      ),
    ]);
    expect(await faultsOf(await issue({ dnsNames: [] }))).toEqual([
      1,
      expect.stringMatching(/^[^\n]*must carry opendsr\.example\.com[^\n]*alternative names none\)$/),
    ]);
    const mismatched = { keyPem: good.keyPem, certPem: (await issue({ commonName: 'other' })).certPem };
    expect(await faultsOf(mismatched)).toEqual([
      1,
      expect.stringMatching(
        /^ {2}✗ the services refuse it: the first certificate in [^\n]*\n {2}✗ receivers refuse it: its common name [^\n]*$/,
      ),
    ]);
    expect(await faultsOf({ keyPem: good.keyPem, certPem: 'nothing' })).toEqual([
      1,
      expect.stringMatching(/^ {2}✗ the services refuse it: [^\n]*does not hold certificates in PEM form$/),
    ]);
  });
});

describe('dsr certs request', () => {
  it.each([
    ['--version 2', 'opendsr.localhost'],
    ['--version 1', 'opengdpr.localhost'],
    ['--domain dsr.acme.test', 'dsr.acme.test'],
  ])('makes a key for its owner alone, and a request: %s', async (option, of) => {
    const [key, out] = [file(`${of}.key`), file(`${of}.csr`)];
    const said = await say(`certs request ${option} --key ${key} --out ${out}`);
    expect([said.code, said.err, said.out[0]]).toEqual([0, [], `made a key for ${of}: ${key}`]);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(text(out)).toMatch(/^-----BEGIN CERTIFICATE REQUEST-----\n/);
    expect(said.out.join('\n')).not.toContain('PRIVATE');
  });

  it.each(['kept.key', 'kept.csr'])('writes over nothing: %s is there', async (kept) => {
    writeFileSync(file(kept), 'kept');
    const names = [file('kept.key'), file('kept.csr')];
    const said = await say(`certs request --version 2 --key ${names[0]} --out ${names[1]}`);
    expect(said).toEqual({ code: 1, out: [], err: [`${file(kept)} exists already and is not overwritten`] });
    expect(names.filter((name) => existsSync(name))).toEqual([file(kept)]);
    expect(text(file(kept))).toBe('kept');
    rmSync(file(kept));
  });

  it.each(['', '--version 2 --domain a.example', '--version 3', '--domain https://a.example', '--domain A.example'])(
    'ends with 2 where it is not clear for which domain: %s',
    async (option) => {
      expect(await say(`certs request --key ${file('x.key')} --out ${file('x.csr')} ${option}`.trim())).toMatchObject({
        code: 2,
        out: [],
      });
    },
  );
});
