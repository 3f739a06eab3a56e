import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from '../e2e/free-ports';

const ids = [1, 2, 3] as const;
export type BrokerId = (typeof ids)[number];

interface Node {
  readonly port: number;
  readonly controllerPort: number;
  script?: ChildProcess;
  pid?: number | undefined;
}

/** Three real brokers, each also a controller, on this machine, that can be killed and started again. */
export class Brokers {
  private constructor(
    private readonly nodes: Readonly<Record<BrokerId, Node>>,
    private readonly serversFolder: string,
    private readonly folder: string,
  ) {}

  static async start(serversFolder: string, folder: string): Promise<Brokers> {
    const node = async (): Promise<Node> => {
      const [port = 0, controllerPort = 0] = await freePorts(2);
      return { port, controllerPort };
    };
    const brokers = new Brokers({ 1: await node(), 2: await node(), 3: await node() }, serversFolder, folder);
    await brokers.startAll();
    return brokers;
  }

  get ids(): readonly BrokerId[] {
    return ids;
  }

  get addresses(): readonly string[] {
    return ids.map((id) => `127.0.0.1:${this.nodes[id].port}`);
  }

  /** The active controller from the state of the nodes; KRaft gives clients an arbitrary broker. */
  controller(): BrokerId {
    const files = ids
      .map((id) => join(this.dataOf(id), 'log/__cluster_metadata-0/quorum-state'))
      .filter((file) => existsSync(file));
    const states = files.map(
      (file) => JSON.parse(readFileSync(file, 'utf8')) as { leaderId: BrokerId; leaderEpoch: number },
    );
    return states.reduce((newest, state) => (state.leaderEpoch > newest.leaderEpoch ? state : newest)).leaderId;
  }

  async kill(id: BrokerId): Promise<void> {
    const { script, pid } = this.nodes[id];
    if (!script || pid === undefined) throw new Error(`broker ${id} does not run`);
    const gone = once(script, 'exit');
    process.kill(pid, 'SIGKILL');
    await gone;
  }

  async killAll(): Promise<void> {
    await Promise.all(ids.map((id) => this.kill(id)));
  }

  /** Starts a node on its old data and ports. Resolves when it serves. */
  async startOne(id: BrokerId): Promise<void> {
    const node = this.nodes[id];
    const voters = ids.map((each) => `${each}@127.0.0.1:${this.nodes[each].controllerPort}`).join(',');
    const settings = ['broker.session.timeout.ms=3000', 'broker.heartbeat.interval.ms=500'].flatMap((setting) => [
      '--set',
      setting,
    ]);
    const ports = ['--port', String(node.port), '--controller-port', String(node.controllerPort)];
    const script = spawn(
      join(this.serversFolder, 'start-kafka'),
      ['--node-id', String(id), '--voters', voters, '--data', this.dataOf(id), ...ports, ...settings],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    node.script = script;
    node.pid = undefined;
    const [line] = (await once(createInterface(script.stdout), 'line')) as [string];
    node.pid = (JSON.parse(line) as { pid: number }).pid;
  }

  async startAll(): Promise<void> {
    await Promise.all(ids.map((id) => this.startOne(id)));
  }

  /** At once: without a quorum no controller allows a broker its stop, and it waits for five minutes. */
  async stop(): Promise<void> {
    const running = ids.filter((id) => {
      const { script } = this.nodes[id];
      return script?.exitCode === null && script.signalCode === null;
    });
    await Promise.all(running.map((id) => this.end(id)));
  }

  /** One that is still starting is asked to stop: its process is not known yet. */
  private async end(id: BrokerId): Promise<void> {
    const { script, pid } = this.nodes[id];
    if (pid !== undefined) return this.kill(id);
    const gone = script && once(script, 'exit');
    script?.kill('SIGTERM');
    await gone;
  }

  private dataOf(id: BrokerId): string {
    return join(this.folder, `broker-${id}`);
  }
}
