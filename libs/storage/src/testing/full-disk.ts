import { DatabaseSync } from 'node:sqlite';

type Exec = (this: DatabaseSync, sql: string) => void;

/** Lets the next text with `part` that any database executes find the disk full. */
export function fillDiskOnce(part: string): void {
  const exec: Exec = Reflect.get(DatabaseSync.prototype, 'exec');
  const spy = jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (!sql.includes(part)) {
      exec.call(this, sql);
      return;
    }
    spy.mockRestore();
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  });
}
