import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verdictOf, type Vector } from '../testing/vector';
import { CHECK_NAMES } from './types';

const dir = join(__dirname, '../../vectors');
const files = readdirSync(dir).filter((name) => name.endsWith('.json'));
const vectors = files.map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')) as Vector);

const details: string[] = [];

describe('the published vectors', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_, vector) => {
    const verdict = await verdictOf(vector);
    details.push(JSON.stringify(verdict.checks));
    expect({ valid: verdict.valid, ...(!verdict.valid && { failed: verdict.failed }) }).toEqual(vector.expected);
    // The list ends with the first failure, in the order of the checks.
    const end = verdict.valid ? CHECK_NAMES.length : CHECK_NAMES.indexOf(verdict.failed) + 1;
    expect(verdict.checks.map(({ check }) => check)).toEqual(CHECK_NAMES.slice(0, end));
    expect(verdict.checks.map(({ passed }) => passed)).toEqual(
      CHECK_NAMES.slice(0, end).map((name) => verdict.valid || name !== verdict.failed),
    );
  });

  it('have the names of their files, and fail every check at least once', () => {
    expect(vectors.map(({ name }) => `${name}.json`)).toEqual(files);
    expect(new Set(vectors.flatMap(({ expected }) => expected.failed ?? []))).toEqual(new Set(CHECK_NAMES));
  });

  it('have verdicts without values of bodies and of strangers', () => {
    expect(details).toHaveLength(vectors.length);
    expect(details.join()).not.toMatch(
      /475974fa|1402|webhook\.site|controller\.example|another\.example|other\.example|done|evil/,
    );
  });

  it('contain no private key', () => {
    expect(JSON.stringify(vectors)).not.toContain('PRIVATE KEY');
  });
});

it('the captured callback has the content of the processor, and the version of its headers', async () => {
  const captured = vectors.find(({ name }) => name === 'good-captured');
  expect(captured && (await verdictOf(captured))).toMatchObject({
    valid: true,
    version: '2.0',
    domain: 'opendsr.mparticle.com',
    deliveryId: undefined,
    callback: {
      controller_id: '1402',
      subject_request_id: '475974fa-6b42-4370-bb56-b5d845686bb5',
      request_status: 'completed',
      api_version: '2.0',
      results_url: null,
      extensions: null,
    },
  });
});
