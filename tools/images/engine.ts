import { must, runToEnd } from './command';

export type EngineName = 'docker' | 'podman';

const names: readonly EngineName[] = ['docker', 'podman'];

async function find(): Promise<EngineName> {
  const named = names.find((name) => name === process.env.CONTAINER_ENGINE);
  if (named) return named;
  for (const name of names) if ((await runToEnd(name, ['info'])).code === 0) return name;
  throw new Error('no container engine answers: Docker with its daemon, or Podman as root');
}

let found: Promise<EngineName> | undefined;

/** The container engine of this machine: what CONTAINER_ENGINE names; else Docker where its daemon answers, else Podman. */
export const engineName = (): Promise<EngineName> => (found ??= find());

/** What a command of the engine says, such as `inspect`. */
export const engine = async (...args: readonly string[]): Promise<string> => must(await engineName(), args);

/**
 * Podman raises the limits of a container over its own, which not every root may do. Its default runtime, crun, refuses machines
 * whose kernel has a controller in both versions of cgroups.
 */
const PODMAN_OPTIONS = ['--runtime', 'runc', '--ulimit', 'nofile=16384:16384', '--ulimit', 'nproc=16384:16384'];

/** The options of `run` that an engine needs to start a container on this machine. */
export const runOptions = (name: EngineName): readonly string[] => (name === 'podman' ? PODMAN_OPTIONS : []);
