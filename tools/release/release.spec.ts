import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describeWithHelm } from '../chart/testing/with-helm';
import { repository } from '../e2e/repository';
import { FULL } from '../testing/form';
import { releaseVersion } from './artifacts';

const run = promisify(execFile);
const releaseWith = (env: Readonly<Record<string, string>>, ...args: string[]) =>
  run(process.execPath, ['tools/run.mjs', 'tools/release/release.ts', '--without-image', ...args], {
    cwd: repository(),
    env: { ...process.env, NODE_OPTIONS: '', ...env },
  });
/** Of this working copy as it is. */
const release = (...args: string[]) => releaseWith({}, '--uncommitted', ...args);

it('has one version, in the chart and in every package', async () => {
  const { version } = JSON.parse(await readFile(repository('package.json'), 'utf8')) as { version: string };
  expect(await releaseVersion()).toBe(version);
});

it('refuses a working copy with changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-release-'));
  try {
    // Against an index that is not there, every file is new.
    const env = { GIT_INDEX_FILE: join(folder, 'index') };
    const refused = releaseWith(env, '--out', join(folder, 'out'));
    await expect(refused).rejects.toThrow('the working copy has changes');
    await expect(readdir(join(folder, 'out'))).rejects.toThrow('ENOENT');
  } finally {
    await rm(folder, { recursive: true });
  }
}, 60_000);

(FULL ? describeWithHelm : describe.skip)('the release command', () => {
  const leftOver = repository('libs/client/dist/types/left-over.d.ts');
  let folder: string;
  let version: string;
  const text = (name: string) => readFile(join(folder, name), 'utf8');
  const packed = async (name: string) => (await run('tar', ['-tzf', join(folder, name)])).stdout.split('\n');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'opendsr-release-'));
    ({ version } = JSON.parse(await readFile(repository('package.json'), 'utf8')) as { version: string });
    await mkdir(dirname(leftOver), { recursive: true });
    await writeFile(leftOver, '');
    await release('--out', folder);
  }, 600_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await rm(leftOver, { force: true });
  });

  it('makes chart, client package, bill of materials, changelog section and checksums, all of one version', async () => {
    expect((await readdir(folder)).sort()).toEqual([
      `CHANGELOG-${version}.md`,
      'SHA256SUMS',
      `opendsr-service-${version}.cdx.json`,
      `opendsr-service-${version}.tgz`,
      `opendsr-service-client-${version}.tgz`,
    ]);
  });

  it('packs a chart with its templates and a client with its code and types', async () => {
    expect(await packed(`opendsr-service-${version}.tgz`)).toEqual(
      expect.arrayContaining([
        'opendsr-service/Chart.yaml',
        'opendsr-service/values.yaml',
        'opendsr-service/templates/deployments.yaml',
      ]),
    );
    const client = await packed(`opendsr-service-client-${version}.tgz`);
    // Nothing is built into, or taken from, what earlier builds left.
    await expect(access(leftOver)).resolves.toBeUndefined();
    expect(client).not.toContain('package/types/left-over.d.ts');
    expect(client).toEqual(
      expect.arrayContaining([
        'package/package.json',
        'package/index.js',
        'package/index.cjs',
        'package/types/index.d.ts',
        'package/LICENSE',
      ]),
    );
  });

  it('lists what the service runs on with versions, licences and hashes, and nothing that only develops it', async () => {
    const bom = JSON.parse(await text(`opendsr-service-${version}.cdx.json`)) as {
      bomFormat: string;
      metadata: { component: { name: string; version: string } };
      components: { name: string; version: string; purl: string }[];
    };
    expect(bom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { name: 'opendsr-service', version } },
    });
    const names = bom.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['kafkajs', 'mongoose', '@nestjs/core', 'node', 'gateway', 'client']));
    expect(names.filter((name) => ['jest', 'oxlint', 'oxfmt', 'nx', 'typescript'].includes(name))).toEqual([]);
    expect(bom.components.filter((one) => !one.version || !one.purl)).toEqual([]);
  });

  it('writes checksums that are those of the files', async () => {
    const lines = (await text('SHA256SUMS')).trim().split('\n');
    expect(lines).toHaveLength(4);
    for (const [hash = '', name = ''] of lines.map((line) => line.split('  ')))
      expect([
        name,
        createHash('sha256')
          .update(await readFile(join(folder, name)))
          .digest('hex'),
      ]).toEqual([name, hash]);
  });

  it('refuses a folder that holds something', async () => {
    const full = await mkdtemp(join(tmpdir(), 'opendsr-release-'));
    try {
      await writeFile(join(full, 'kept'), '');
      await expect(release('--out', full)).rejects.toThrow('is not empty');
      expect(await readdir(full)).toEqual(['kept']);
    } finally {
      await rm(full, { recursive: true });
    }
  }, 600_000);
});
