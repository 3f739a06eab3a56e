import { until } from '../../receiver/until';
import { must, runToEnd } from '../command';
import { engine } from '../engine';
import { containersOf, type ComposeContainer } from './containers';

const SETTLED_MS = 300_000;

/** One compose file under its own project name, with the Compose of this machine. */
export class ComposeProject {
  private constructor(
    private readonly compose: readonly string[],
    private readonly name: string,
    private readonly file: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async create(name: string, file: string, env: Readonly<Record<string, string>>): Promise<ComposeProject> {
    const { code } = await runToEnd('docker', ['compose', 'version']);
    return new ComposeProject(code === 0 ? ['docker', 'compose'] : ['docker-compose'], name, file, env);
  }

  /** Starts all services and waits until long-running ones are healthy and others have ended with 0. */
  async up(): Promise<void> {
    await this.run('up', '-d');
    await this.settled();
  }

  async restart(service: string): Promise<void> {
    await this.run('restart', service);
    await this.settled();
  }

  /** Takes down all but the volumes. */
  async down(): Promise<void> {
    await this.run('down');
  }

  /** Removes everything, also the volumes. */
  async remove(): Promise<void> {
    await this.run('down', '--volumes', '--remove-orphans');
  }

  containers(): Promise<ComposeContainer[]> {
    return containersOf(this.name);
  }

  /** Copies a folder of a service's container. */
  async copy(service: string, from: string, to: string): Promise<void> {
    const container = (await this.containers()).find((one) => one.service === service);
    if (!container) throw new Error(`${this.file} has no ${service}`);
    await engine('cp', `${container.id}:${from}`, to);
  }

  run(...args: readonly string[]): Promise<string> {
    const [program = '', ...words] = this.compose;
    return must(program, [...words, '--project-name', this.name, '--file', this.file, ...args], this.env);
  }

  private async settled(): Promise<void> {
    await until(
      `the containers of ${this.file} to be well`,
      async () => {
        const containers = await this.containers();
        for (const { service, state } of containers)
          if (state === 'failed') throw new Error(`${service} failed:\n${await this.run('logs', service)}`);
        return containers.length > 0 && containers.every(({ state }) => state === 'well');
      },
      SETTLED_MS,
    );
  }
}
