import { runToEnd, type Ended } from './command';
import { engine, engineName, runOptions } from './engine';
import { until } from '../receiver/until';

/** What a cluster with the restricted pod standard leaves a container, and less. */
const restricted = [
  '--read-only',
  '--cap-drop',
  'ALL',
  '--security-opt',
  'no-new-privileges',
  '--user',
  '65532:65532',
  '--network',
  'host',
];

interface ContainerOptions {
  readonly image: string;
  /** The app and its arguments. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Further options of `run`, such as volumes. */
  readonly options?: readonly string[];
}

const runArguments = async ({ image, args, env = {}, options = [] }: ContainerOptions): Promise<string[]> => [
  ...restricted,
  ...runOptions(await engineName()),
  ...options,
  ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  image,
  ...args,
];

/** Runs a container to its end, with as few rights as it ever has. */
export const runOnce = async (options: ContainerOptions): Promise<Ended> =>
  runToEnd(await engineName(), ['run', '--rm', ...(await runArguments(options))]);

/** A container that runs until it is stopped; the process in it is seen from this machine. */
export class Container {
  private constructor(private readonly id: string) {}

  static async start(options: ContainerOptions): Promise<Container> {
    return new Container(await engine('run', '--detach', ...(await runArguments(options))));
  }

  inspect(field: string): Promise<string> {
    return engine('inspect', '--format', `{{${field}}}`, this.id);
  }

  async pid(): Promise<number> {
    return Number(await this.inspect('.State.Pid'));
  }

  async logs(): Promise<Ended> {
    return runToEnd(await engineName(), ['logs', this.id]);
  }

  /** Waits for the line of the log that says so, and answers its time. */
  async listening(): Promise<Date> {
    return until(
      'the container to listen',
      async () => {
        const { output, errorOutput } = await this.logs();
        const line = output.split('\n').find((text) => text.includes('"msg":"Listening"'));
        if (line) return new Date((JSON.parse(line) as { time: string }).time);
        if ((await this.inspect('.State.Running')) !== 'true')
          throw new Error(`the container ended before it listened:\n${output}${errorOutput}`);
        return undefined;
      },
      180_000,
    );
  }

  healthy(): Promise<unknown> {
    return until('the container to be healthy', async () => this.isHealthy(), 180_000);
  }

  /** An image that Podman built has no health check of its own. */
  private async isHealthy(): Promise<boolean> {
    if ((await engineName()) === 'docker') return (await this.inspect('.State.Health.Status')) === 'healthy';
    const check = ['exec', this.id, '/usr/local/bin/node', '/app/healthy.mjs'];
    return (await runToEnd('podman', check)).code === 0;
  }

  /** Sends SIGTERM, waits, and answers the exit code; the engine kills it after a minute, which is 137. */
  async stop(): Promise<number> {
    await engine('stop', '--time', '60', this.id);
    return Number(await this.inspect('.State.ExitCode'));
  }

  async remove(): Promise<void> {
    await engine('rm', '--force', '--volumes', this.id);
  }
}
