import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attestationPayload, bundleText, STATEMENT_MEDIA_TYPE } from '@opendsr-service/contracts';
import { attestedCancellation, attestedErasure, attestedSubjects } from '@opendsr-service/contracts/testing';
import { loadSigner, signEnvelope } from '@opendsr-service/signing';
import { checkpointText, leafHash, signNote, writeNote } from '@opendsr-service/transparency';
import { ensureLogKey } from '@opendsr-service/vault';
import { createHash } from 'node:crypto';
import { Processor } from '../testing/processor';
import { say as sayTo } from '../testing/say';
import { attestationShow } from './attestation-show.command';
import { attestationVerify } from './attestation-verify.command';

/** As far as this command takes them (libs/client/vectors/attestations). */
interface Vector {
  readonly file_base64: string;
  readonly trust_pem: string;
  readonly allowed_domains: readonly string[];
  readonly log_key?: string;
  readonly witness_keys?: readonly string[];
  readonly now: string;
  readonly expected: { readonly valid: boolean; readonly failed?: string };
}

const vectors = join(__dirname, '../../../../libs/client/vectors/attestations');
const vectorOf = (file: string) => JSON.parse(readFileSync(join(vectors, file), 'utf8')) as Vector;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-attestation-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const say = (line: string, env: Readonly<Record<string, string>> = { DATA_DIR: folder }, now = new Date()) =>
  sayTo(`attestation ${line}`, { commands: [attestationShow, attestationVerify], env, now: () => now });
const words = (lines: readonly string[]) => lines.map((text) => text.trim().replaceAll(/ +/g, ' '));

function save(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}
const saveFile = ({ file_base64 }: Vector) => save('attestation.json', Buffer.from(file_base64, 'base64'));
const judge = (vector: Vector, more = '') => {
  const options = [
    `--domain ${vector.allowed_domains.join(',')} --trust ${save('trust.pem', vector.trust_pem)}`,
    ...(vector.log_key === undefined ? [] : [`--key ${vector.log_key}`]),
    ...(vector.witness_keys ? [`--witness ${vector.witness_keys.join(',')}`] : []),
  ].join(' ');
  return say(`verify ${saveFile(vector)} ${options}${more}`, undefined, new Date(vector.now));
};

const SHOWN = [
  'request 475974fa-6b42-4370-bb56-b5d845686bb5, erasure, version 2.0',
  'controller acme-shop, workspace acme',
  'regulation gdpr',
  'received 2026-01-05T10:00:00.000Z',
  'started 2026-01-12T10:00:00.000Z',
  'completed 2026-02-20T10:00:00.000Z',
  'legal date 2026-02-05T23:59:59.999Z, extended to 2026-04-05T23:59:59.999Z on 2026-02-01T10:00:00.000Z, kept',
  'participant ingestion completed, 2026-01-12T10:02:00.000Z',
  'participant crm (crm.example.com) skipped, 2026-02-20T10:00:00.000Z, waived by operator',
  'destroyed 1 profiles, 12 batches, 2 archives, 3 keys',
  'tombstone 00000000-0000-5000-8000-000000000041',
  'second pass done',
  'generation 4, destroyed 2026-03-01T00:00:00.000Z',
  'backups not-known',
  'statement second, after mJw1n6Wm3O2x0pS4Zb1l7Yc9d8e7f6g5h4i3j2k1l0A',
  expect.stringMatching(/^digest [\w-]{43}$/) as string,
  'signed by CN=opendsr.processor.example',
];

describe('dsr attestation show', () => {
  it('says in plain words who, what and when, and that it verified nothing', async () => {
    const { code, out } = await say(`show ${saveFile(vectorOf('good-bundle.json'))}`);
    expect([code, words(out)]).toEqual([
      0,
      [
        ...SHOWN,
        'logged 2026-01-01T00:00:02.000Z, leaf 11',
        'nothing of this was verified: dsr attestation verify does that',
      ],
    ]);
  });

  it('says of a cancelled request what it never had', async () => {
    const { out } = await say(`show ${saveFile(vectorOf('good-cancelled.json'))}`);
    expect(words(out)).toEqual(
      expect.arrayContaining([
        'regulation none was named',
        'started never',
        'cancelled 2026-01-05T10:05:00.000Z',
        'legal date none is known',
        'statement first',
      ]),
    );
    expect(words(out).join()).not.toMatch(/logged|destroyed|second pass/);
  });

  it('says how many tombstones are not named', async () => {
    const file = vectorOf('good-envelope.json').file_base64;
    const envelope = JSON.parse(Buffer.from(file, 'base64').toString()) as object;
    const shown = async (unnamedTombstones: number) => {
      const destroyed = { ...attestedErasure.destroyed, unnamedTombstones };
      const payload = attestationPayload({ ...attestedErasure, destroyed }, attestedSubjects).toString('base64');
      return words((await say(`show ${save('unnamed.json', JSON.stringify({ ...envelope, payload }))}`)).out).join();
    };
    expect(await shown(2)).toContain('tombstones 2 more are not named');
    expect(await shown(0)).not.toContain('not named');
  });

  it('answers a machine, and refuses what is none', async () => {
    const { out } = await say(`show ${saveFile(vectorOf('good-envelope.json'))} --json`);
    expect(JSON.parse(out.join())).toMatchObject({ attestation: attestedErasure, subjects: attestedSubjects });
    const { code, err } = await say(`show ${save('planted', '{"planted":1}')}`);
    expect([code, err]).toEqual([1, [`${folder}/planted holds no attestation`]]);
  });
});

describe('dsr attestation verify', () => {
  const files = readdirSync(vectors).filter((file) => file.endsWith('.json'));

  it.each(files)('judges a published vector as the vector says: %s', async (file) => {
    const { valid, failed } = vectorOf(file).expected;
    const { code, out } = await judge(vectorOf(file));
    expect([code, out.at(-1)]).toEqual(
      valid ? [0, expect.stringMatching(/^valid/) as string] : [1, `not valid: ${failed}`],
    );
  });

  it('prints what was attested, then each check, and whether the log was one of them', async () => {
    const { out } = await judge(vectorOf('good-bundle.json'));
    expect(words(out).slice(0, SHOWN.length)).toEqual(SHOWN);
    expect(words(out)).toContain('✓ inclusion the proof leads from the entry to the root of the checkpoint');
    expect(out.at(-1)).toBe('valid, and in the log');
    const { out: unlogged } = await judge(vectorOf('good-bundle-without-key.json'));
    expect([unlogged.at(-1), unlogged.join().includes('logged')]).toEqual([
      'valid now; the log was not checked',
      false,
    ]);
  });

  it('takes witnesses with white space between them', async () => {
    const { witness_keys: [witness = ''] = [], ...vector } = vectorOf('good-bundle-witnessed.json');
    const { code } = await judge({ ...vector, witness_keys: [witness, `\t${witness}`] });
    expect(code).toBe(0);
  });

  it('answers a machine, also where it refuses', async () => {
    const { code, out } = await judge(vectorOf('entry-other-envelope.json'), ' --json');
    expect([code, JSON.parse(out.join())]).toMatchObject([1, { valid: false, failed: 'entry' }]);
  });

  it('refuses keys that are none, and witnesses without a log', async () => {
    const file = saveFile(vectorOf('good-envelope.json'));
    expect(await say(`verify ${file} --key planted`)).toMatchObject({ code: 2 });
    const { log_key, witness_keys: [witness] = [] } = vectorOf('good-bundle-witnessed.json');
    const { code, err } = await say(`verify ${file} --witness ${witness}`);
    expect([code, err[0]]).toEqual([2, '--witness needs --key']);
    for (const other of ['planted', log_key])
      expect(await say(`verify ${file} --key ${log_key} --witness ${other}`)).toMatchObject({ code: 2 });
  });

  it('knows authority, domains and log of the sandbox of this machine', async () => {
    const processor = await Processor.open();
    try {
      const now = new Date();
      const signer = await loadSigner({ ...processor.certificates.v1, domain: 'opengdpr.localhost', now });
      const payload = attestationPayload(attestedCancellation, attestedSubjects);
      const envelope = await signEnvelope(STATEMENT_MEDIA_TYPE, payload, signer);
      const log = await ensureLogKey(
        join(processor.dataDir, 'keys', 'transparency.key'),
        'opendsr.localhost/transparency',
      );
      const digest = createHash('sha256').update(envelope).digest('base64url');
      const entry = Buffer.from(JSON.stringify({ kind: 'attestation', at: now, digest }));
      const text = checkpointText({ origin: log.name, size: 1, root: leafHash(entry) });
      const bundle = { envelope, index: 0, entry, inclusion: [], checkpoint: writeNote(signNote(text, log)) };
      const alone = await say(`verify ${save('envelope', envelope)}`, processor.env, now);
      expect([alone.code, alone.out.at(-1)]).toEqual([0, 'valid now; the log was not checked']);
      const logged = await say(`verify ${save('bundle', bundleText(bundle))}`, processor.env, now);
      expect([logged.code, logged.out.at(-1)]).toEqual([0, 'valid, and in the log']);
      const marked = save('marked', Buffer.concat([Buffer.from('\uFEFF'), Buffer.from(bundleText(bundle))]));
      expect((await say(`verify ${marked}`, processor.env, now)).out.at(-1)).toBe('valid, and in the log');
      const destroyed = bundleText({ ...bundle, entry: Buffer.from('x') });
      const refused = await say(`verify ${save('destroyed', destroyed)}`, processor.env, now);
      expect([refused.code, refused.out.at(-1)]).toEqual([1, 'not valid: inclusion']);
    } finally {
      await processor.close();
    }
  });
});
