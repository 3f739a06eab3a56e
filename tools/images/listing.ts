const shells = [
  'sh',
  'bash',
  'dash',
  'ash',
  'busybox',
  'apt',
  'apt-get',
  'dpkg',
  'apk',
  'npm',
  'npx',
  'perl',
  'python3',
];

export interface Listing {
  /** Programs that would help an intruder. */
  readonly shells: readonly string[];
  /** Programs that would run with the rights of their owner. */
  readonly setuid: readonly string[];
  /** Files of the app that root does not own, or that all users can write. */
  readonly writable: readonly string[];
}

interface Entry {
  readonly mode: string;
  readonly owner: string;
  readonly path: string;
}

function entryOf(line: string): Entry {
  const [mode = '', owner = '', , , , ...path] = line.split(/\s+/);
  return { mode, owner, path: (path.join(' ').split(' -> ')[0] ?? '').replace(/^\.?\//, '') };
}

const isOurs = (path: string) => /^(app\/|usr\/local\/bin\/node$)/.test(path);

/** The output of `tar --list --verbose --numeric-owner` for the files of an image. */
export function readListing(text: string): Listing {
  const entries = text
    .split('\n')
    .filter((line) => line !== '')
    .map(entryOf);
  const where = (wanted: (entry: Entry) => boolean) => entries.filter(wanted).map(({ path }) => path);
  return {
    shells: where(({ path }) => shells.includes(path.split('/').at(-1) ?? '') && /(^|\/)s?bin\//.test(path)),
    setuid: where(({ mode }) => /^-.*s/i.test(mode)),
    writable: where(
      ({ mode, owner, path }) => isOurs(path) && (owner !== '0/0' || /^-.*w/.test(mode) || mode[8] === 'w'),
    ),
  };
}
