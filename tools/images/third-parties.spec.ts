import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runToEnd, type Ended } from './command';

const repository = join(__dirname, '../..');

/** Bundles files of a folder with the plugin, as the image's build does. */
const script = (root: string) => `
  import { rolldown } from '${repository}/node_modules/rolldown/dist/index.mjs';
  import { thirdParties } from '${repository}/docker/third-parties.mjs';
  const root = '${root}';
  const bundle = await rolldown({ cwd: root, input: { a: 'src/a.js', b: 'src/b.js' }, plugins: [thirdParties({ root })] });
  await bundle.write({ dir: root + '/dist' });`;

interface Planted {
  readonly license?: string;
  readonly text?: string;
}

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'opendsr-third-parties-'));
});
afterEach(() => rm(root, { recursive: true }));

const write = async (path: string, text: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
};

/** A service whose two entries import `one`, which imports `two`; nobody imports `unused`. */
async function bundled(planted: Planted = { license: 'MIT', text: 'the text of two' }): Promise<Ended> {
  const packages = {
    one: { license: 'ISC', text: 'the text of one' },
    two: planted,
    unused: { license: 'GPL-3.0-only' },
  };
  await write('package.json', JSON.stringify({ name: 'service', version: '1.0.0', license: 'Apache-2.0' }));
  const integrity = `sha512-${Buffer.from('planted').toString('base64')}`;
  await write('package-lock.json', JSON.stringify({ packages: { 'node_modules/two': { integrity } } }));
  for (const entry of ['a', 'b']) await write(`src/${entry}.js`, "import { one } from 'one'; console.log(one);");
  for (const [name, { license, text }] of Object.entries<Planted>(packages)) {
    const manifest = { name, version: '2.0.0', license, type: 'module', main: 'index.js' };
    await write(`node_modules/${name}/package.json`, JSON.stringify(manifest));
    if (text !== undefined) await write(`node_modules/${name}/LICENSE.md`, text);
  }
  await write('node_modules/one/index.js', "import { two } from 'two'; export const one = two + 1;");
  await write('node_modules/two/index.js', 'export const two = Math.random();');
  await write('node_modules/unused/index.js', 'export const unused = 1;');
  return runToEnd(process.execPath, ['--input-type=module', '--eval', script(root)], { NODE_OPTIONS: '' });
}

const made = (name: string) => readFile(join(root, 'dist', name), 'utf8');

it('lists exactly the packages whose code is in the bundle, with what each needs', async () => {
  expect(await bundled()).toMatchObject({ code: 0 });
  expect(JSON.parse(await made('sbom.cdx.json'))).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'service', version: '1.0.0' } },
    components: [
      { name: 'one', version: '2.0.0', licenses: [{ license: { id: 'ISC' } }], purl: 'pkg:npm/one@2.0.0' },
      { name: 'two', hashes: [{ alg: 'SHA-512', content: Buffer.from('planted').toString('hex') }] },
    ],
    dependencies: [
      { ref: 'service@1.0.0', dependsOn: ['one@2.0.0'] },
      { ref: 'one@2.0.0', dependsOn: ['two@2.0.0'] },
      { ref: 'two@2.0.0', dependsOn: [] },
    ],
  });
});

it('holds the text of each licence, and none of what is not in the bundle', async () => {
  await bundled();
  const notices = await made('THIRD-PARTY-LICENSES.txt');
  expect(notices).toMatch(/one@2\.0\.0 \(ISC\)[^]+the text of one[^]+two@2\.0\.0 \(MIT\)[^]+the text of two/);
  expect(notices).not.toContain('unused');
});

it('says the same again, byte by byte', async () => {
  await bundled();
  const first = [await made('sbom.cdx.json'), await made('THIRD-PARTY-LICENSES.txt')];
  await rm(join(root, 'dist'), { recursive: true });
  await bundled();
  expect([await made('sbom.cdx.json'), await made('THIRD-PARTY-LICENSES.txt')]).toEqual(first);
});

it.each([
  ['names no licence', { text: 'a text' }, 'two@2.0.0 names no licence'],
  ['has one that is not allowed', { license: 'AGPL-3.0-only', text: 'a text' }, 'two@2.0.0 is under AGPL-3.0-only'],
  ['has no text of it', { license: 'MIT' }, 'two@2.0.0 has no text of its licence'],
])('fails the build where a package %s', async (_what, planted, message) => {
  const { code, errorOutput } = await bundled(planted);
  expect(code).not.toBe(0);
  expect(errorOutput).toContain(message);
});
