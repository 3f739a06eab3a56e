import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mongoose';
import {
  freePorts,
  mongodIn,
  startOwn,
  testCertificates,
  type OwnServer,
  type TestCertificates,
} from '@opendsr-service/storage/testing';
import { until } from '../receiver/until';

const SET = 'rs0';
/** The rights that docs/connecting.md names, over all databases, whose names are not known here. */
const ROLES = ['readWriteAnyDatabase'];
const administrator = { username: 'administrator', password: 'of-the-tests-alone' } as const;
const READY_MS = 120_000;
/** The message of mongod's log that says that it listens. */
const LISTENS = '"id":23016';

export interface MongodbUser {
  readonly username: string;
  readonly password: string;
}

interface Member {
  readonly port: number;
  readonly args: readonly string[];
  server: OwnServer;
}

interface Place {
  readonly program: string;
  readonly address: string;
  readonly folder: string;
  readonly certificates: TestCertificates;
}

/** A replica set that wants TLS and a user who logs in, at an address that pods reach. */
export class MongodSet {
  private constructor(
    private readonly place: Place,
    private readonly members: readonly Member[],
  ) {}

  static async start(servers: string, address: string, count: number): Promise<MongodSet> {
    const folder = await mkdtemp(join(tmpdir(), 'opendsr-mongod-set-'));
    const keyFile = join(folder, 'members.key');
    const [program, certificates, ports] = await Promise.all([
      mongodIn(servers),
      testCertificates(folder, address),
      freePorts(count),
      writeFile(keyFile, randomBytes(48).toString('base64'), { mode: 0o600 }),
    ]);
    const members = await Promise.all(
      ports.map(async (port): Promise<Member> => {
        const data = join(folder, String(port));
        await mkdir(data);
        const args = [
          ...['--replSet', SET, '--keyFile', keyFile, '--bind_ip', `127.0.0.1,${address}`, '--port', String(port)],
          ...['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', certificates.serverFile],
          ...['--tlsCAFile', certificates.authorityFile, '--tlsAllowConnectionsWithoutCertificates'],
          ...['--dbpath', data, '--nounixsocket', '--wiredTigerCacheSizeGB', '0.25'],
        ];
        return { port, args, server: await listening(program, args) };
      }),
    );
    const set = new MongodSet({ program, address, folder, certificates }, members);
    try {
      await set.initiate();
    } catch (error) {
      await set.stop();
      throw error;
    }
    return set;
  }

  /** The connection string of a user. */
  uriOf({ username, password }: MongodbUser): string {
    const hosts = this.members.map(({ port }) => this.hostOf(port)).join(',');
    return `mongodb://${username}:${password}@${hosts}/?replicaSet=${SET}&tls=true`;
  }

  get ports(): readonly number[] {
    return this.members.map(({ port }) => port);
  }

  get authorityFile(): string {
    return this.place.certificates.authorityFile;
  }

  async addUser({ username, password }: MongodbUser): Promise<void> {
    const { port } = await this.primary();
    await this.local(port, { createUser: username, pwd: password, roles: ROLES }, administrator);
  }

  /** The user cannot log in any more, and what it does on open connections is refused. */
  async removeUser(username: string): Promise<void> {
    const { port } = await this.primary();
    await this.local(port, { dropUser: username }, administrator);
  }

  /** Stops the primary as its operator would, so that another one is elected, and starts it again. */
  async restartPrimary(): Promise<void> {
    const primary = await this.primary();
    await primary.server.stop();
    primary.server = await listening(this.place.program, primary.args);
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map(({ server }) => server.stop()));
    await rm(this.place.folder, { recursive: true, force: true });
  }

  private async initiate(): Promise<void> {
    const [first] = this.members;
    if (!first) throw new Error('a replica set has a member');
    const members = this.members.map(({ port }, _id) => ({ _id, host: this.hostOf(port) }));
    await this.local(first.port, { replSetInitiate: { _id: SET, members } });
    const { port } = await this.primary();
    // As long as there is no user, a caller from this machine may make one.
    await this.local(port, { createUser: administrator.username, pwd: administrator.password, roles: ['root'] });
  }

  private primary(): Promise<Member> {
    return until(
      'a primary',
      async () => {
        const roles = await Promise.all(
          this.members.map(({ port }) => this.local(port, { hello: 1 }).catch(() => ({ isWritablePrimary: false }))),
        );
        return this.members[roles.findIndex(({ isWritablePrimary }) => isWritablePrimary === true)];
      },
      READY_MS,
    );
  }

  /** A command on the loopback address, which the certificate does not name. */
  private async local(port: number, command: object, user?: MongodbUser): Promise<Readonly<Record<string, unknown>>> {
    const connection = await createConnection(`mongodb://127.0.0.1:${String(port)}/?directConnection=true`, {
      ...(user && { auth: user }),
      tls: true,
      tlsCAFile: this.place.certificates.authorityFile,
      tlsAllowInvalidHostnames: true,
      serverSelectionTimeoutMS: 5_000,
    }).asPromise();
    try {
      return await connection
        .getClient()
        .db('admin')
        .command({ ...command });
    } finally {
      await connection.close();
    }
  }

  private hostOf(port: number): string {
    return `${this.place.address}:${String(port)}`;
  }
}

async function listening(program: string, args: readonly string[]): Promise<OwnServer> {
  const server = startOwn(program, args);
  await server.line((line) => line.includes(LISTENS));
  return server;
}
