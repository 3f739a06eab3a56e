import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from './free-ports';
import { repository } from './repository';

/** Sooner than the default, a broker that was killed is let in again. */
const quick = ['--set', 'broker.session.timeout.ms=3000', '--set', 'broker.heartbeat.interval.ms=500'];

interface Running {
  readonly child: ChildProcess;
  /** Of the server itself, which the script started. */
  readonly pid: number;
}

/** A server that a test may kill, and start again at the same address on what it left. */
export class OwnServer {
  private constructor(
    /** How clients name it: brokers, or a URI. */
    readonly address: string,
    private readonly data: string,
    private readonly run: () => Promise<Running>,
    private server: Running,
  ) {}

  /** `servers` is the folder with `start-kafka`, from the repository's root where it is relative. */
  static async kafka(servers: string): Promise<OwnServer> {
    const [port = 0, controllerPort = 0] = await freePorts(2);
    return OwnServer.start(scriptOf(servers, 'start-kafka'), `127.0.0.1:${String(port)}`, [
      '--port',
      String(port),
      '--controller-port',
      String(controllerPort),
      ...quick,
    ]);
  }

  /** The same with `start-mongod`. */
  static async mongod(servers: string): Promise<OwnServer> {
    const [port = 0] = await freePorts(1);
    return OwnServer.start(scriptOf(servers, 'start-mongod'), `mongodb://127.0.0.1:${String(port)}/?replicaSet=rs0`, [
      '--port',
      String(port),
    ]);
  }

  private static async start(script: string, address: string, options: readonly string[]): Promise<OwnServer> {
    const data = await mkdtemp(join(tmpdir(), 'opendsr-e2e-server-'));
    const again = () => run(script, [...options, '--data', data]);
    return new OwnServer(address, data, again, await again());
  }

  /** As if its machine went dark. */
  async kill(): Promise<void> {
    const gone = once(this.server.child, 'exit');
    process.kill(this.server.pid, 'SIGKILL');
    await gone;
  }

  async startAgain(): Promise<void> {
    this.server = await this.run();
  }

  async stop(): Promise<void> {
    if (this.server.child.exitCode === null) {
      const gone = once(this.server.child, 'exit');
      this.server.child.kill('SIGTERM');
      await gone;
    }
    await rm(this.data, { recursive: true, force: true });
  }
}

const scriptOf = (servers: string, name: string): string =>
  servers.startsWith('/') ? join(servers, name) : repository(servers, name);

async function run(script: string, args: readonly string[]): Promise<Running> {
  const child = spawn(script, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
  const gone = once(child, 'exit').then(() => {
    throw new Error(`${script} ended before its server was ready`);
  });
  const { pid } = JSON.parse(await Promise.race([line, gone])) as { pid: number };
  gone.catch(() => undefined);
  return { child, pid };
}
