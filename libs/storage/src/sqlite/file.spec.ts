import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fillDiskOnce } from '../testing/full-disk';
import { SqliteFile } from './file';
import { preparedStatement } from './statements';

const insert = (n: number) => (db: DatabaseSync) => preparedStatement(db, 'INSERT INTO t VALUES (?)').run(n).changes;
/** The clock of the test goes on while files are written. */
const eachSecondUntil = async (is: () => boolean): Promise<void> => {
  while (!is()) {
    jest.advanceTimersByTime(1_000);
    await new Promise(setImmediate);
  }
};
const all = (db: DatabaseSync) =>
  preparedStatement(db, 'SELECT n FROM t ORDER BY n')
    .all()
    .map((row) => row['n']);

/** Of a file that may be gone by now. */
const attempt = (read: () => string): string | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

describe('SqliteFile', () => {
  let folder: string;
  let file: SqliteFile;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dsr-file-'));
    file = SqliteFile.open(join(folder, 'deep', 'a.sqlite'));
    await file.write((db) => db.exec('CREATE TABLE t (n INTEGER PRIMARY KEY)'));
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await file.close();
    rmSync(folder, { recursive: true });
  });

  it('fails a write that throws alone, and its neighbours in the group stay', async () => {
    const results = await Promise.allSettled([1, 1, 3].map((n) => file.write(insert(n))));
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(file.read(all)).toEqual([1, 3]);
  });

  (process.platform === 'linux' ? it : it.skip)(
    'needs no temporary file for writes and sorts of any size, as a read-only container has no folder for one',
    async () => {
      const open = () => readdirSync('/proc/self/fd').map((fd) => attempt(() => readlinkSync(`/proc/self/fd/${fd}`)));
      const temporary = () => open().filter((path) => path?.includes('etilqs'));
      await file.write((db) => db.exec('CREATE TABLE big (n INTEGER PRIMARY KEY, b BLOB)'));
      const ids = Array.from({ length: 1_000 }, (_, n) => n);
      await file.write((db) =>
        ids.forEach((n) => preparedStatement(db, 'INSERT INTO big VALUES (?, randomblob(60000))').run(n)),
      );
      const during = await file.write((db) => {
        db.exec('UPDATE big SET b = zeroblob(60000)');
        db.exec('DELETE FROM big WHERE n >= 500');
        const sorted = db.prepare('SELECT n, b FROM big ORDER BY b, n DESC').iterate();
        sorted.next();
        return temporary();
      });
      const reading = file.read((db) => {
        const sorted = db.prepare('SELECT n, b FROM big ORDER BY b, n DESC').iterate();
        sorted.next();
        return temporary();
      });
      expect([during, reading]).toEqual([[], []]);
    },
  );

  it('shows a write to readers only when it is durable, and answers it then, errors as well', async () => {
    const order: string[] = [];
    const flush = fs.fdatasync;
    jest.spyOn(fs, 'fdatasync').mockImplementation((fd, done) => {
      order.push(`flushing, readers see ${JSON.stringify(file.read(all))}`);
      flush(fd, done);
    });
    await Promise.all([
      file.write(insert(1)).then(() => order.push(`answered, readers see ${JSON.stringify(file.read(all))}`)),
      file.write(insert(1)).catch(() => order.push('refused')),
    ]);
    expect(order).toEqual(['flushing, readers see []', 'answered, readers see [1]', 'refused']);
  });

  it('acknowledges nothing any more once a flush failed, for what is on disk is then unknown', async () => {
    jest.spyOn(fs, 'fdatasync').mockImplementationOnce((_fd, done) => done(new Error('EIO')));
    await expect(file.write(insert(1))).rejects.toThrow('could not be flushed');
    await expect(file.write(insert(2))).rejects.toThrow('could not be flushed');
    expect(() => file.read(all)).toThrow('could not be flushed');
  });

  describe('on a full disk', () => {
    const fill = () => file.write((db) => db.exec('INSERT INTO big VALUES (zeroblob(100000))'));
    const behindOthers = () => file.write((db) => db.exec('SELECT 1'));

    beforeEach(async () => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
      await file.write((db) => db.exec('CREATE TABLE big (b BLOB)'));
      await file.write((db) => db.exec('PRAGMA max_page_count = 1'));
    });
    afterEach(() => jest.useRealTimers());

    it('is not writable once a write found it full, until a second later one has changed the file', async () => {
      await file.ping();
      await expect(fill()).rejects.toMatchObject({ errcode: 13 });
      await expect(file.ping()).rejects.toThrow('full');
      const other = new DatabaseSync(join(folder, 'deep', 'a.sqlite'));
      const version = () => other.prepare('PRAGMA data_version').get()?.['data_version'];
      const before = version();
      await behindOthers();
      expect([version(), file.isWritable]).toEqual([before, false]);
      await eachSecondUntil(() => file.isWritable);
      expect(version()).not.toBe(before);
      other.close();
      await file.ping();
      expect(readdirSync(join(folder, 'deep')).filter((name) => name.includes('room'))).toEqual([]);
    });

    it('stays full while only the slack of its log takes a write', async () => {
      await expect(fill()).rejects.toMatchObject({ errcode: 13 });
      const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      const opened = jest.spyOn(fsPromises, 'open').mockRejectedValueOnce(full).mockRejectedValueOnce(full);
      await eachSecondUntil(() => {
        expect(file.isWritable).toBe(false);
        return opened.mock.calls.length === 2;
      });
      await eachSecondUntil(() => file.isWritable);
      expect(opened).toHaveBeenCalledTimes(3);
    });

    it('tries again each second, and no more once the file is closed', async () => {
      await expect(fill()).rejects.toMatchObject({ errcode: 13 });
      fillDiskOnce('user_version');
      const opened = jest.spyOn(fsPromises, 'open');
      await eachSecondUntil(() => file.isWritable);
      expect(opened).toHaveBeenCalledTimes(2);
      await expect(fill()).rejects.toMatchObject({ errcode: 13 });
      await file.close();
      expect(jest.getTimerCount()).toBe(0);
    });
  });

  it('writes what waits before it closes, refuses what comes later, and keeps all of it', async () => {
    const writes = [1, 2, 3].map((n) => file.write(insert(n)));
    const closed = file.close();
    await expect(file.write(insert(4))).rejects.toThrow('closed');
    await Promise.all([...writes, closed]);
    expect(() => file.read(all)).toThrow('closed');
    file = SqliteFile.open(join(folder, 'deep', 'a.sqlite'));
    expect(file.read(all)).toEqual([1, 2, 3]);
  });

  it('waits for another connection that writes to the same file, and sees what it wrote', async () => {
    const other = SqliteFile.open(join(folder, 'deep', 'a.sqlite'));
    await Promise.all([1, 2, 3, 4].flatMap((n) => [file.write(insert(n)), other.write(insert(n + 10))]));
    expect(file.read(all)).toEqual(other.read(all));
    expect(file.read(all)).toHaveLength(8);
    await other.close();
  });

  it('never waits for another process inside of a write, which would stop the event loop', async () => {
    expect(await file.write((db) => db.prepare('PRAGMA busy_timeout').get())).toEqual({ timeout: 0 });
  });

  it('restarts its log after a while instead of letting it grow', async () => {
    await file.write((db) => db.exec('CREATE TABLE big (b BLOB)'));
    const blob = Buffer.alloc(400_000);
    for (let n = 0; n < 100; n++)
      await file.write((db) => preparedStatement(db, 'INSERT INTO big VALUES (?)').run(blob));
    expect(readdirSync(join(folder, 'deep'))).toContain('a.sqlite-wal');
    expect(fs.statSync(join(folder, 'deep', 'a.sqlite-wal')).size).toBeLessThan(15_000_000);
  });

  describe('of what was deleted or overwritten', () => {
    const path = () => join(folder, 'deep', 'a.sqlite');
    const isOnDisk = () =>
      readdirSync(join(folder, 'deep')).some((name) => fs.readFileSync(join(folder, 'deep', name)).includes('planted'));
    const put = (n: number, b: string) =>
      file.write((db) => preparedStatement(db, 'INSERT OR REPLACE INTO keys VALUES (?, ?)').run(n, b));

    /** What stood between others and across pages, so that neither a page nor the file is given up for it alone. */
    async function plantAndDelete(): Promise<void> {
      await file.write((db) => db.exec('CREATE TABLE keys (n INTEGER PRIMARY KEY, b TEXT)'));
      for (const n of [1, 2, 3, 4, 5, 6])
        await put(n, n % 2 ? 'kept' : `planted ${n} ${'planted '.repeat(n === 4 ? 5_000 : 5)}`);
      await put(2, 'overwritten');
      await file.write((db) => db.exec('DELETE FROM keys WHERE n IN (4, 6)'));
    }

    beforeEach(async () => {
      await file.close();
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
      file = SqliteFile.open(path());
    });
    afterEach(() => jest.useRealTimers());

    it('nothing is left on the disk a few seconds after the last write', async () => {
      await plantAndDelete();
      expect(isOnDisk()).toBe(true);
      jest.advanceTimersByTime(5_000);
      expect(isOnDisk()).toBe(false);
      expect(
        file.read((db) =>
          db
            .prepare('SELECT b FROM keys')
            .all()
            .map((row) => row['b']),
        ),
      ).toEqual(['kept', 'overwritten', 'kept', 'kept']);
      expect(jest.getTimerCount()).toBe(0);
    });

    it('nothing is left when the group ends that was being written at that time', async () => {
      await plantAndDelete();
      const flush = fs.fdatasync;
      jest.spyOn(fs, 'fdatasync').mockImplementationOnce((fd, done) => {
        jest.advanceTimersByTime(5_000);
        expect(isOnDisk()).toBe(true);
        flush(fd, done);
      });
      await file.write(insert(1));
      expect(isOnDisk()).toBe(false);
    });

    it('nothing is left a few seconds after another process has stopped reading it', async () => {
      await plantAndDelete();
      const reader = new DatabaseSync(path(), { timeout: 1 });
      reader.exec('BEGIN; SELECT count(*) FROM keys');
      jest.advanceTimersByTime(5_000);
      expect(isOnDisk()).toBe(true);
      reader.close();
      jest.advanceTimersByTime(5_000);
      expect(isOnDisk()).toBe(false);
    });

    it('nothing is left when the file is closed, though another process has it open', async () => {
      const other = SqliteFile.open(path());
      await plantAndDelete();
      await file.close();
      expect(isOnDisk()).toBe(false);
      await other.close();
    });
  });
});
