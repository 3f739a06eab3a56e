import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from './open-storage';
import { DataFileExposed, tightenDataFolder } from './private-files';

const FILE = 0o600;
const FOLDER = 0o700;

describe('a data folder', () => {
  let parent: string;
  let dataDir: string;
  let umask: number;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'dsr-modes-'));
    dataDir = join(parent, 'data');
    umask = process.umask(0);
  });
  afterEach(() => {
    process.umask(umask);
    rmSync(parent, { recursive: true });
  });

  const modeOf = (path: string) => lstatSync(path).mode & 0o7777;
  const modes = () =>
    Object.fromEntries(readdirSync(dataDir).map((name) => [name, modeOf(join(dataDir, name)).toString(8)]));
  const all = (names: readonly string[], mode: number) =>
    Object.fromEntries(names.map((name) => [name, mode.toString(8)]));
  const DATABASE = ['contract.sqlite', 'contract.sqlite-shm', 'contract.sqlite-wal'];

  async function used(): Promise<void> {
    const storage = await openStorage({ dataDir, lock: true });
    await (await storage.database('contract')).collection('c').insertOne({ a: 1 });
    expect(modes()).toEqual(all([...DATABASE, 'service.lock', 'service.lock-journal'], FILE));
    await storage.close();
  }

  it('is made for its owner alone, with databases and their logs, whatever the umask', async () => {
    await used();
    expect(modeOf(dataDir)).toBe(FOLDER);
  });

  it('is closed to others at boot, with everything of the service that lies in it, where it was open to them', async () => {
    mkdirSync(join(dataDir, 'keys'), { recursive: true });
    mkdirSync(join(dataDir, 'certificates'));
    const files = [
      'contract.sqlite',
      'service.lock',
      'log.db',
      'log.db-wal',
      'sandbox-credentials.json',
      'keys/master.key',
      'certificates/v2.key',
      'certificates/v2.pem',
    ];
    for (const file of files) writeFileSync(join(dataDir, file), '', { mode: 0o666 });
    await (await openStorage({ dataDir, lock: true })).close();
    expect(files.filter((file) => modeOf(join(dataDir, file)) !== FILE)).toEqual([]);
    expect(['', 'keys', 'certificates'].map((folder) => modeOf(join(dataDir, folder)))).toEqual([
      FOLDER,
      FOLDER,
      FOLDER,
    ]);
  });

  it('is closed to others where it is a link to a folder', () => {
    mkdirSync(join(parent, 'disk'));
    writeFileSync(join(parent, 'disk/log.db'), '', { mode: 0o644 });
    symlinkSync(join(parent, 'disk'), dataDir);
    tightenDataFolder(dataDir);
    expect([modeOf(join(parent, 'disk')), modeOf(join(parent, 'disk/log.db'))]).toEqual([FOLDER, FILE]);
  });

  it('leaves files that are not of the service, and what links lead to', () => {
    mkdirSync(dataDir);
    for (const file of [join(dataDir, 'notes.txt'), join(parent, 'elsewhere')])
      writeFileSync(file, '', { mode: 0o644 });
    symlinkSync(join(parent, 'elsewhere'), join(dataDir, 'log.db'));
    tightenDataFolder(dataDir);
    expect([modeOf(join(dataDir, 'notes.txt')), modeOf(join(parent, 'elsewhere'))]).toEqual([0o644, 0o644]);
  });

  it('that all share stays as it is', () => {
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o1777);
    tightenDataFolder(dataDir);
    expect(modeOf(dataDir)).toBe(0o1777);
  });

  const asStranger = process.getuid?.() === 0 ? it : it.skip;
  asStranger(
    'with a file of another owner that others may read keeps a service from starting, with the name of the file',
    async () => {
      mkdirSync(dataDir, { mode: 0o777 });
      writeFileSync(join(dataDir, 'log.db'), '', { mode: 0o644 });
      chmodSync(parent, 0o755);
      process.seteuid?.(65_534);
      try {
        await expect(openStorage({ dataDir, lock: true })).rejects.toThrow(DataFileExposed);
        await expect(openStorage({ dataDir, lock: true })).rejects.toMatchObject({ name: 'DataFileExposed' });
        await expect(openStorage({ dataDir, lock: true })).rejects.toThrow(join(dataDir, 'log.db'));
      } finally {
        process.seteuid?.(0);
      }
    },
  );
});
