import { docker, runToEnd, type Ended } from './docker';
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
  /** Further options of `docker run`, such as volumes. */
  readonly options?: readonly string[];
}

const runArguments = ({ image, args, env = {}, options = [] }: ContainerOptions): string[] => [
  ...restricted,
  ...options,
  ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  image,
  ...args,
];

/** Runs a container to its end, with as few rights as it ever has. */
export const runOnce = (options: ContainerOptions): Promise<Ended> =>
  runToEnd('docker', ['run', '--rm', ...runArguments(options)]);

/** A container that runs until it is stopped; the process in it is seen from this machine. */
export class Container {
  private constructor(private readonly id: string) {}

  static async start(options: ContainerOptions): Promise<Container> {
    return new Container(await docker('run', '--detach', ...runArguments(options)));
  }

  inspect(field: string): Promise<string> {
    return docker('inspect', '--format', `{{${field}}}`, this.id);
  }

  async pid(): Promise<number> {
    return Number(await this.inspect('.State.Pid'));
  }

  logs(): Promise<Ended> {
    return runToEnd('docker', ['logs', this.id]);
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
    return until(
      'the container to be healthy',
      async () => (await this.inspect('.State.Health.Status')) === 'healthy',
      180_000,
    );
  }

  /** Sends SIGTERM, waits, and answers the exit code; Docker kills it after a minute, which is 137. */
  async stop(): Promise<number> {
    await docker('stop', '--time', '60', this.id);
    return Number(await this.inspect('.State.ExitCode'));
  }

  async remove(): Promise<void> {
    await docker('rm', '--force', '--volumes', this.id);
  }
}
