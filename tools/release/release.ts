// `npm run release`: makes everything of a release into one folder (docs/releasing.md). It publishes nothing.
import { mkdir, readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { findHelm } from '../chart/helm';
import {
  demandCommitted,
  packChart,
  packClient,
  packImage,
  releaseVersion,
  writeChangelog,
  writeChecksums,
  writeSbom,
  type Release,
} from './artifacts';

const usage = `npm run release -- [--out FOLDER] [--local] [--without-image] [--uncommitted]
  --out             an empty or new folder; default: dist/release
  --local           builds the image on stand-ins of the base images (docs/images.md)
  --without-image   makes everything but the image, which needs Docker
  --uncommitted     takes a working copy with changes too: to try it, not to publish`;

const flag = { type: 'boolean', default: false } as const;
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist/release' },
    local: flag,
    'without-image': flag,
    uncommitted: flag,
    help: flag,
  },
});

async function main(): Promise<void> {
  if (!values.uncommitted) await demandCommitted();
  const helm = findHelm(process.env);
  if (helm === undefined) throw new Error('there is no helm (DSR_TEST_HELM, PATH)');
  const release: Release = { folder: resolve(values.out), version: await releaseVersion() };
  await mkdir(release.folder, { recursive: true });
  if ((await readdir(release.folder)).length > 0) throw new Error(`${release.folder} is not empty`);
  await writeChangelog(release);
  await writeSbom(release);
  await packClient(release);
  await packChart(release, helm);
  if (!values['without-image']) await packImage(release, values.local);
  await writeChecksums(release.folder);
  console.log(`Release ${release.version} in ${release.folder}:`);
  for (const name of (await readdir(release.folder)).sort()) console.log(`  ${name}`);
}

if (values.help) console.log(usage);
else
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
