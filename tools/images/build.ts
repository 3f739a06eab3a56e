import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must, runToEnd } from './command';
import { engine, engineName, type EngineName } from './engine';
import { readListing, type Listing } from './listing';

interface BuildOptions {
  readonly tag: string;
  /** Builds on the stand-ins that `tools/images/base.sh` makes, where nothing can be pulled. */
  readonly local: boolean;
  /** Uses nothing that an earlier build left. */
  readonly noCache?: boolean;
}

const standInBase = ['--build-arg', 'BASE_IMAGE=opendsr-base:local'];
const standIns = ['--network', 'host', '--build-arg', 'BUILD_IMAGE=opendsr-build-base:local', ...standInBase];

/** A Docker client without buildx needs a setting to use the older builder. */
const builder = async (name: EngineName): Promise<Record<string, string>> =>
  name === 'podman' || (await runToEnd('docker', ['buildx', 'version'])).code === 0 ? {} : { DOCKER_BUILDKIT: '0' };

/**
 * With Podman all of an image has one time, and two builds have one digest. Its format, OCI's, has no health check. Its
 * cache would take the files of another commit for the same where only their times differ.
 */
const formatOf = (name: EngineName, time: string): readonly string[] =>
  name === 'podman' ? ['--format', 'oci', '--timestamp', time, '--no-cache'] : [];

const makeStandIns = async (...which: readonly string[]): Promise<unknown> =>
  must('bash', ['tools/images/base.sh', ...which], { CONTAINER_ENGINE: await engineName() });

/** What the commit that is checked out says of itself in an image. */
async function commitFacts() {
  const [revision = '', time = '', created = ''] = (await must('git', ['log', '-1', '--format=%H %ct %cI'])).split(' ');
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  const args = { SOURCE_DATE_EPOCH: time, VERSION: version, REVISION: revision, CREATED: created };
  return {
    revision,
    time,
    buildArgs: Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
  };
}

/** Builds the image from the files of the checked-out commit. */
export async function buildImage({ tag, local, noCache = false }: BuildOptions): Promise<void> {
  const name = await engineName();
  if (local) await makeStandIns('build', 'runtime');
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-image-'));
  try {
    const { revision, time, buildArgs } = await commitFacts();
    await must('bash', ['-c', 'git archive "$1" | tar --extract --directory "$2"', 'bash', revision, folder]);
    const options = [
      ...buildArgs,
      ...formatOf(name, time),
      ...(local ? standIns : []),
      ...(noCache && name !== 'podman' ? ['--no-cache'] : []),
    ];
    await must(
      name,
      ['build', '--file', join(folder, 'docker/Dockerfile'), '--tag', tag, ...options, folder],
      await builder(name),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Builds the last stage of the Dockerfile alone, over what its stage `build` would make, made here from the working tree and the
 * installed packages: seconds in place of minutes. On the stand-in of the base; needs Podman.
 */
export async function buildImageHere(tag: string): Promise<void> {
  await makeStandIns('runtime');
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-image-'));
  try {
    const { time, buildArgs } = await commitFacts();
    const files = join(folder, 'files');
    const nothing = join(folder, 'nothing');
    await mkdir(nothing);
    await must('sh', ['docker/image-files.sh', join(files, 'image')], { SOURCE_DATE_EPOCH: time });
    await must('podman', [
      ...['build', '--file', 'docker/Dockerfile', '--tag', tag, '--build-context', `build=${files}`],
      ...[...buildArgs, ...standInBase, ...formatOf('podman', time), nothing],
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes an image as `docker load` and a cluster take it. */
export async function saveImage(image: string, archive: string): Promise<void> {
  await rm(archive, { force: true });
  await engine('save', '--output', archive, image);
}

/** Hands the id of a container that never runs to `look`, which may read its files. */
async function withFiles<T>(image: string, look: (id: string) => Promise<T>): Promise<T> {
  const id = await engine('create', image);
  try {
    return await look(id);
  } finally {
    await engine('rm', id);
  }
}

/** Of folders only the files: builders give a folder that they make the time of the build. */
const hashOf = `set -o pipefail
"$1" cp "$2" - >"$3"
(tar --list --verbose --full-time --numeric-owner --file "$3" | grep -v '^d'; tar --extract --to-stdout --file "$3") | sha256sum`;

/** One hash over what the build put into the image: names, owners, modes, times and bytes of all files. */
export const contentsOf = (image: string): Promise<string> =>
  withFiles(image, async (id) => {
    const folder = await mkdtemp(join(tmpdir(), 'opendsr-contents-'));
    try {
      const name = await engineName();
      const hash = createHash('sha256');
      for (const path of ['/app', '/usr/local/bin/node'])
        hash.update(await must('bash', ['-c', hashOf, 'bash', name, `${id}:${path}`, join(folder, 'files.tar')]));
      return hash.digest('hex');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

export const listingOf = (image: string): Promise<Listing> =>
  withFiles(image, async (id) =>
    readListing(
      await must('bash', [
        '-c',
        'set -o pipefail; "$1" export "$2" | tar --list --verbose --numeric-owner',
        'bash',
        await engineName(),
        id,
      ]),
    ),
  );

export const revisionOf = (image: string): Promise<string> =>
  engine('image', 'inspect', '--format', '{{index .Config.Labels "org.opencontainers.image.revision"}}', image);

export const sizeMb = async (image: string): Promise<number> =>
  Number(await engine('image', 'inspect', '--format', '{{.Size}}', image)) / 1_000_000;

/** The digest of its configuration, which names all its layers: two images that have it in common are one, byte by byte. */
export const idOf = (image: string): Promise<string> => engine('image', 'inspect', '--format', '{{.Id}}', image);
