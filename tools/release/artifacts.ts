import { createHash } from 'node:crypto';
import { glob, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chartFolder } from '../chart/helm';
import { repository } from '../e2e/repository';
import { buildImage, saveImage } from '../images/build';
import { must } from '../images/command';
import { changelogSection } from './changelog';
import { reachable, type Bom } from './sbom';

/** Where a release goes, and the version that all of it carries. */
export interface Release {
  readonly folder: string;
  readonly version: string;
}

const MANIFESTS = ['package.json', '{apps,libs}/*/package.json', 'tools/package.json'];

/** The version of the repository. Throws where a package, whose version a process may show, or the chart has another. */
export async function releaseVersion(): Promise<string> {
  const chart = await readFile(join(chartFolder(), 'Chart.yaml'), 'utf8');
  const versions: Record<string, string | undefined> = {
    'Chart.yaml version': /^version: "?([^"\n]+)/m.exec(chart)?.[1],
    'Chart.yaml appVersion': /^appVersion: "?([^"\n]+)/m.exec(chart)?.[1],
  };
  for await (const file of glob(MANIFESTS, { cwd: repository() }))
    versions[file] = (JSON.parse(await readFile(repository(file), 'utf8')) as { version: string }).version;
  const [version = '', ...others] = new Set(Object.values(versions));
  if (others.length > 0) throw new Error(`a release has one version: ${JSON.stringify(versions)}`);
  return version;
}

/** Throws where the files are not those of a commit: only the image would be of it. */
export async function demandCommitted(): Promise<void> {
  if ((await must('git', ['status', '--porcelain'])) !== '')
    throw new Error('the working copy has changes, which no commit would name: commit or remove them');
}

/** The image of the commit that is checked out, as an archive for `docker load`. */
export async function packImage({ folder, version }: Release, local: boolean): Promise<void> {
  const tag = `opendsr-service:${version}`;
  await buildImage({ tag, local });
  await saveImage(tag, join(folder, `opendsr-service-image-${version}.tar`));
}

export async function packChart({ folder }: Release, helm: string): Promise<void> {
  await must(helm, ['package', chartFolder(), '--destination', folder]);
}

/** The client package as `npm publish` takes it, built into an empty folder: `dist` keeps files of earlier builds. */
export async function packClient({ folder }: Release): Promise<void> {
  const built = await mkdtemp(join(tmpdir(), 'opendsr-client-'));
  try {
    await must('rolldown', ['--config', repository('libs/client/rolldown.config.mjs'), '--dir', built]);
    await must('npm', ['pack', '--silent', '--pack-destination', folder, built]);
  } finally {
    await rm(built, { recursive: true });
  }
}

/** The shipped parts: each app, the client package, and Node in the image. */
const isShipped = (ref: string, apps: readonly string[]): boolean =>
  ref.startsWith('node@') || apps.some((app) => ref.startsWith(`@opendsr-service/${app}@`));

/**
 * A CycloneDX list of what the service runs on, made by npm from the lockfile. npm cannot leave out what only tests and
 * tools need, because a package of the service that a tool uses too counts as the tool's.
 */
export async function writeSbom({ folder, version }: Release): Promise<void> {
  const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const bom = JSON.parse(await must('npm', ['sbom', '--silent', ...options])) as Bom;
  const apps = await readdir(repository('apps'));
  const shipped = bom.components.map((one) => one['bom-ref']).filter((ref) => isShipped(ref, [...apps, 'client']));
  // npm names the root after its folder.
  const named = { ...reachable(bom, shipped), metadata: { ...bom.metadata, component: rootOf(bom) } };
  await writeFile(join(folder, `opendsr-service-${version}.cdx.json`), `${JSON.stringify(named, null, 2)}\n`);
}

const rootOf = ({ metadata }: Bom) => ({ ...metadata.component, name: 'opendsr-service' });

export async function writeChangelog({ folder, version }: Release): Promise<void> {
  const changelog = await readFile(repository('CHANGELOG.md'), 'utf8');
  await writeFile(join(folder, `CHANGELOG-${version}.md`), changelogSection(changelog, version));
}

/** A line for each file of the folder, as `sha256sum --check` reads it. */
export async function writeChecksums(folder: string): Promise<void> {
  const lines: string[] = [];
  for (const name of (await readdir(folder)).sort())
    lines.push(
      `${createHash('sha256')
        .update(await readFile(join(folder, name)))
        .digest('hex')}  ${name}`,
    );
  await writeFile(join(folder, 'SHA256SUMS'), `${lines.join('\n')}\n`);
}
