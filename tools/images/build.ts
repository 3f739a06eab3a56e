import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { docker, must, runToEnd } from './docker';
import { readListing, type Listing } from './listing';

interface BuildOptions {
  readonly tag: string;
  /** Builds on the stand-ins that `tools/images/base.sh` makes, where nothing can be pulled. */
  readonly local: boolean;
  /** Uses nothing that an earlier build left. */
  readonly anew?: boolean;
}

const standIns = [
  '--network',
  'host',
  '--build-arg',
  'BUILD_IMAGE=opendsr-build-base:local',
  '--build-arg',
  'BASE_IMAGE=opendsr-base:local',
];

/** A client without buildx needs a setting to use the older builder. */
const builder = async (): Promise<Record<string, string>> =>
  (await runToEnd('docker', ['buildx', 'version'])).code === 0 ? {} : { DOCKER_BUILDKIT: '0' };

/** Builds the image from the files of the checked-out commit. */
export async function buildImage({ tag, local, anew = false }: BuildOptions): Promise<void> {
  if (local) await must('bash', ['tools/images/base.sh']);
  const folder = await mkdtemp(join(tmpdir(), 'opendsr-image-'));
  try {
    const [revision = '', time = '', created = ''] = (await must('git', ['log', '-1', '--format=%H %ct %cI'])).split(
      ' ',
    );
    await must('bash', ['-c', 'git archive "$1" | tar --extract --directory "$2"', 'bash', revision, folder]);
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
    const args = { SOURCE_DATE_EPOCH: time, VERSION: version, REVISION: revision, CREATED: created };
    const options = [
      ...Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
      ...(local ? standIns : []),
      ...(anew ? ['--no-cache'] : []),
    ];
    await must(
      'docker',
      ['build', '--file', join(folder, 'docker/Dockerfile'), '--tag', tag, ...options, folder],
      await builder(),
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Hands the id of a container that never runs to `look`, which may read its files. */
async function withFiles<T>(image: string, look: (id: string) => Promise<T>): Promise<T> {
  const id = await docker('create', image);
  try {
    return await look(id);
  } finally {
    await docker('rm', id);
  }
}

/** Of folders only the files: builders give a folder that they make the time of the build. */
const hashOf = `set -o pipefail
docker cp "$1" - >"$2"
(tar --list --verbose --full-time --numeric-owner --file "$2" | grep -v '^d'; tar --extract --to-stdout --file "$2") | sha256sum`;

/** One hash over what the build put into the image: names, owners, modes, times and bytes of all files. */
export const contentsOf = (image: string): Promise<string> =>
  withFiles(image, async (id) => {
    const folder = await mkdtemp(join(tmpdir(), 'opendsr-contents-'));
    try {
      const hash = createHash('sha256');
      for (const path of ['/app', '/usr/local/bin/node'])
        hash.update(await must('bash', ['-c', hashOf, 'bash', `${id}:${path}`, join(folder, 'files.tar')]));
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
        'set -o pipefail; docker export "$1" | tar --list --verbose --numeric-owner',
        'bash',
        id,
      ]),
    ),
  );

export const revisionOf = (image: string): Promise<string> =>
  docker('image', 'inspect', '--format', '{{index .Config.Labels "org.opencontainers.image.revision"}}', image);

export const sizeMb = async (image: string): Promise<number> =>
  Number(await docker('image', 'inspect', '--format', '{{.Size}}', image)) / 1_000_000;
