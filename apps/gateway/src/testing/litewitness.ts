import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { until } from '@opendsr-service/messaging/testing';
import { freePorts } from '@opendsr-service/storage/testing';
import { EMPTY_ROOT, type NoteVerifier } from '@opendsr-service/transparency';

const SOURCE = join(__dirname, 'litewitness');
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** Builds the program into a folder; its modules come from the network at the first run. False: it cannot be built, or run. */
export const buildLitewitness = (folder: string): boolean =>
  ['ssh-agent', 'ssh-add', 'ssh-keygen'].every(has) &&
  spawnSync('go', ['build', '-o', folder, 'filippo.io/torchwood/cmd/litewitness'], { cwd: SOURCE, stdio: 'ignore' })
    .status === 0;

/** A witness that is not ours: litewitness of torchwood, with its key in an agent. */
export class Litewitness {
  /** `folder` holds the program, and gets its key and its database. */
  static async start(folder: string, log: NoteVerifier & { readonly verifierKey: string }): Promise<Litewitness> {
    const witness = new Litewitness(folder, log.name);
    await witness.serve(log.verifierKey);
    return witness;
  }

  private readonly processes: ChildProcess[] = [];
  private readonly database: DatabaseSync;
  url = '';
  verifierKey = '';

  private constructor(
    private readonly folder: string,
    private readonly origin: string,
  ) {
    this.database = new DatabaseSync(join(folder, 'witness.db'));
  }

  /** The size that it has cosigned last. */
  get size(): number {
    return Number(this.database.prepare('SELECT tree_size FROM log').get()?.['tree_size']);
  }

  /** As if it had seen another log of its last size. */
  sawAnother(): void {
    this.database.prepare('UPDATE log SET tree_hash = ?').run(Buffer.alloc(32, 1).toString('base64'));
  }

  async stop(): Promise<void> {
    this.database.close();
    for (const process of this.processes.reverse()) {
      const ended = once(process, 'exit');
      process.kill();
      await ended;
    }
  }

  private async serve(logKey: string): Promise<void> {
    const [key, agent] = [join(this.folder, 'key'), join(this.folder, 'agent')];
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    this.run('ssh-agent', ['-D', '-a', agent]);
    const env = { ...process.env, SSH_AUTH_SOCK: agent };
    await until(() => spawnSync('ssh-add', ['-q', key], { env, stdio: 'ignore' }).status === 0);
    const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-l', '-f', key], { encoding: 'utf8' }).split(' ');
    this.addLog(logKey);
    const [port = 0] = await freePorts(1);
    const address = `127.0.0.1:${String(port)}`;
    this.url = `http://${address}`;
    this.run(join(this.folder, 'litewitness'), [
      ...['-name', 'litewitness.example/w', '-db', join(this.folder, 'witness.db')],
      ...['-ssh-agent', agent, '-key', fingerprint, '-listen', address],
    ]);
    const page = (): Promise<string> =>
      fetch(this.url).then(
        (answer) => answer.text(),
        () => '',
      );
    await until(async () => {
      this.verifierKey = /^litewitness\.example\/w\+\S+$/m.exec(await page())?.[0] ?? '';
      return this.verifierKey !== '';
    });
  }

  private run(program: string, args: readonly string[]): void {
    this.processes.push(spawn(program, args, { stdio: 'ignore' }));
  }

  /** What its `witnessctl` does, which cannot be built without a module that the Go proxy does not hand out. */
  private addLog(key: string): void {
    this.database.exec(
      'CREATE TABLE log (origin TEXT PRIMARY KEY, tree_size INTEGER NOT NULL, tree_hash TEXT NOT NULL); ' +
        'CREATE TABLE key (origin TEXT NOT NULL, key TEXT NOT NULL, FOREIGN KEY(origin) REFERENCES log(origin))',
    );
    this.database.prepare('INSERT INTO log VALUES (?, 0, ?)').run(this.origin, EMPTY_ROOT.toString('base64'));
    this.database.prepare('INSERT INTO key VALUES (?, ?)').run(this.origin, key);
  }
}
