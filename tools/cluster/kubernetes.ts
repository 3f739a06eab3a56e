import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Credentials } from '../e2e/service';
import { must, runToEnd } from '../images/command';

const STARTS_WITHIN_MS = 300_000;

/** A one-node Kubernetes that `start-cluster` runs in the foreground. */
export class Kubernetes {
  private constructor(
    private readonly programs: { readonly folder: string; readonly helm: string },
    private readonly state: string,
    private readonly server: ChildProcess,
    /** This machine as pods see it. */
    readonly hostIp: string,
  ) {}

  /** `folder`: with `start-cluster`, `kubectl` and `load-image`. */
  static async start(folder: string, helm: string): Promise<Kubernetes> {
    const state = await mkdtemp(join(tmpdir(), 'opendsr-cluster-'));
    const server = spawn(join(folder, 'start-cluster'), {
      env: { ...process.env, CLUSTER_DIR: state },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const late = setTimeout(() => server.kill('SIGTERM'), STARTS_WITHIN_MS);
    for await (const line of createInterface(server.stdout)) {
      const { hostIp } = JSON.parse(line) as { hostIp: string };
      clearTimeout(late);
      server.stdout.resume();
      return new Kubernetes({ folder, helm }, state, server, hostIp);
    }
    throw new Error('the cluster ended before it was ready');
  }

  async stop(): Promise<void> {
    if (this.server.exitCode === null) {
      const gone = once(this.server, 'exit');
      this.server.kill('SIGTERM');
      await gone;
    }
    await rm(this.state, { recursive: true, force: true });
  }

  /** `archive`: an image as `docker save` writes it. */
  async loadImage(archive: string): Promise<void> {
    await must(join(this.programs.folder, 'load-image'), ['--dir', this.state, archive]);
  }

  kubectl(...args: readonly string[]): Promise<string> {
    return must(join(this.programs.folder, 'kubectl'), args, this.env);
  }

  async json<T>(...args: readonly string[]): Promise<T> {
    return JSON.parse(await this.kubectl(...args, '-o', 'json')) as T;
  }

  /** The address of a Service, which this machine reaches. */
  async serviceIp(namespace: string, name: string): Promise<string> {
    const { spec } = await this.json<{ spec: { clusterIP: string } }>('-n', namespace, 'get', 'service', name);
    return spec.clusterIP;
  }

  /** Makes a workspace with a key by the tool in a pod. */
  async workspace(namespace: string, pod: string, name: string): Promise<Credentials> {
    const dsr = ['-n', namespace, 'exec', pod, '--', '/usr/local/bin/node', '/app/opendsr.mjs', 'dsr'];
    await this.kubectl(...dsr, 'workspaces', 'create', '--workspace', name, '--name', name);
    return credentialsIn(await this.kubectl(...dsr, 'keys', 'create', '--workspace', name));
  }

  helm(...args: readonly string[]): Promise<string> {
    return must(this.programs.helm, args, this.env);
  }

  /** What lines of a page print, run with `kubectl` and `helm` of this cluster as its reader would. `docker`: that function. */
  async shell(lines: string, cwd: string, docker = ''): Promise<string> {
    const programs = [
      `kubectl() { '${join(this.programs.folder, 'kubectl')}' "$@"; }`,
      `helm() { '${this.programs.helm}' "$@"; }`,
      docker,
    ].join('\n');
    const script = `set -euo pipefail\n${programs}\ncd '${cwd}'\n${lines}`;
    const { code, output, errorOutput } = await runToEnd('bash', ['-c', script], this.env);
    if (code !== 0) throw new Error(`lines of the page ended with ${String(code)}:\n${output}${errorOutput}`);
    return output;
  }

  private get env(): Readonly<Record<string, string>> {
    return { KUBECONFIG: join(this.state, 'kubeconfig') };
  }
}

/** What `dsr keys create` prints. */
export function credentialsIn(printed: string): Credentials {
  const wordAfter = (name: string): string => {
    const word = new RegExp(`^${name} +(\\S+)$`, 'm').exec(printed)?.[1];
    if (word === undefined) throw new Error(`no ${name} is printed`);
    return word;
  };
  return { key: wordAfter('key'), secret: wordAfter('secret') };
}
