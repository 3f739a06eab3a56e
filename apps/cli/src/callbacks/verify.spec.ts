import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Processor } from '../testing/processor';
import { say as sayTo } from '../testing/say';
import { verifyCommand } from './verify.command';

/** As far as this command takes them (libs/client/vectors). */
interface Vector {
  readonly body_base64: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly certificate_pem: string;
  readonly trust_pem: string;
  readonly crls?: unknown;
  readonly now: string;
  readonly allowed_domains: readonly string[];
  readonly callback_urls: readonly string[];
  readonly expected: { readonly valid: boolean; readonly failed?: string };
}

const vectors = join(__dirname, '../../../../libs/client/vectors');
const vectorOf = (file: string) => JSON.parse(readFileSync(join(vectors, file), 'utf8')) as Vector;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-verify-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const say = (line: string, env: Readonly<Record<string, string>> = { DATA_DIR: folder }) =>
  sayTo(`verify ${line}`, { commands: [verifyCommand], env });

function save(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** The files of a saved callback, and the options that name them. */
const saved = (body: Buffer, headers: string): string =>
  `--body ${save('body', body)} --headers ${save('headers', headers)}`;

function optionsOf(vector: Vector): string {
  const files = saved(Buffer.from(vector.body_base64, 'base64'), JSON.stringify(vector.headers));
  const certificates = `--certificate ${save('certificate.pem', vector.certificate_pem)} --trust ${save('trust.pem', vector.trust_pem)}`;
  return `${files} ${certificates} --at ${vector.now} --domain ${vector.allowed_domains.join(',')} --url ${vector.callback_urls.at(-1)}`;
}

/** One for each outcome: all of them are rows of the library's own suite. */
const chosen = [
  ...new Map(
    readdirSync(vectors)
      .filter((file) => file.endsWith('.json') && vectorOf(file).crls === undefined)
      .map((file) => [vectorOf(file).expected.failed, file]),
  ).values(),
];

it('dsr verify believes the captured callback of a live processor on its day, and not when its certificate had ended', async () => {
  const vector = vectorOf('good-captured.json');
  const { code, out, err } = await say(optionsOf(vector));
  expect([code, err, out.at(-1)]).toEqual([0, [], 'valid']);
  expect(out.slice(0, 4).map((line) => line.trim().split(/ +/).slice(0, 2))).toEqual([
    ['delivery', 'without'],
    ['status', 'completed'],
    ['request', '475974fa-6b42-4370-bb56-b5d845686bb5'],
    ['from', 'opendsr.mparticle.com,'],
  ]);
  const late = await say(optionsOf({ ...vector, now: '2026-01-01T00:00:00Z' }));
  expect([late.code, late.out.at(-1)]).toEqual([1, 'not valid: dates']);
});

it('dsr verify judges a published vector of each kind as the vector says', async () => {
  expect(chosen.length).toBeGreaterThan(9);
  const judged: Record<string, unknown> = {};
  for (const file of chosen) {
    const { code, out } = await say(optionsOf(vectorOf(file)));
    judged[file] = [code, out.at(-1)];
  }
  const expected = chosen.map((file) => [file, vectorOf(file).expected] as const);
  expect(judged).toEqual(
    Object.fromEntries(
      expected.map(([file, { valid, failed }]) => [file, valid ? [0, 'valid'] : [1, `not valid: ${failed}`]]),
    ),
  );
});

describe('dsr verify', () => {
  let processor: Processor;
  const url = 'https://receiver.example/hooks';
  beforeAll(async () => {
    processor = await Processor.open();
  });
  afterAll(() => processor.close());

  it('fetches the certificate that discovery names, and takes header lines as an HTTP dump has them', async () => {
    const { body, headers } = await processor.callback(url);
    const lines = [
      'POST /hooks HTTP/1.1',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      '',
    ].join('\r\n');
    const { code, out } = await say(`${saved(body, lines)} --url ${url}`, processor.env);
    expect([code, out.at(-1)]).toEqual([0, 'valid']);
    expect(out.join('\n')).toContain(headers['X-Delivery-Id']);
    const named = await say(
      `${saved(body, lines)} --base-url http://localhost:${processor.env.PORT} --trust ${processor.certificates.authorityFile}`,
      { DATA_DIR: folder },
    );
    expect([named.code, named.out.at(-1)]).toEqual([0, 'valid for any callback URL: --url names yours']);
    expect(named.out.join('\n')).not.toContain('✓ url');
  });

  it.each([
    ['no header', 'line 2 of the headers is not "Name: value"', 'A: b\nwhat is this'],
    ['broken JSON', 'the headers start like JSON but are not valid JSON', '{"a": 1'],
    ['JSON of something else', 'a header is neither a string nor a list of strings', '{"a": 1}'],
  ])('says what is wrong with saved headers, and repeats nothing of them: %s', async (_what, words, text) => {
    expect(await say(saved(Buffer.from('{}'), text))).toEqual({ code: 1, out: [], err: [words] });
  });

  it('names the file that cannot be read', async () => {
    expect(await say('--body /nowhere/body --headers /nowhere/headers')).toMatchObject({
      code: 1,
      err: ['/nowhere/body cannot be read (ENOENT)'],
    });
  });
});
