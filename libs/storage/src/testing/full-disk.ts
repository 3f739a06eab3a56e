import { DatabaseSync } from 'node:sqlite';

type Exec = (this: DatabaseSync, sql: string) => void;

/** Lets the next text with `part` that any database executes find the disk full. Ends when mocks are restored. */
export function fillDiskOnce(part: string): void {
  const exec: Exec = Reflect.get(DatabaseSync.prototype, 'exec');
  let isFull = true;
  jest.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (isFull && sql.includes(part)) {
      isFull = false;
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    }
    exec.call(this, sql);
  });
}
