import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { repository } from '../e2e/repository';

export interface HelmEnv {
  readonly DSR_TEST_HELM?: string;
  readonly DSR_TEST_SERVERS?: string;
  readonly DSR_REQUIRE_SERVERS?: string;
  readonly PATH?: string;
}

const isProgram = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Where helm is: what `DSR_TEST_HELM` names; else the one of the PATH; else the one in the folder `tools` beside that of the test
 * servers; else `undefined`. Throws when the one that was named does not work, or when there is none and `DSR_REQUIRE_SERVERS` is 1.
 */
export function findHelm(env: HelmEnv): string | undefined {
  const { DSR_TEST_HELM: named, DSR_TEST_SERVERS: servers, PATH = '' } = env;
  if (named && !isProgram(resolve(repository(), named))) throw new Error('DSR_TEST_HELM names no program');
  if (named) return resolve(repository(), named);
  const beside = servers ? [resolve(repository(), servers, '../tools/helm')] : [];
  const found = [...PATH.split(delimiter).filter(Boolean).map((folder) => join(folder, 'helm')), ...beside].find(isProgram);
  if (found === undefined && env.DSR_REQUIRE_SERVERS === '1') throw new Error('there is no helm (DSR_TEST_HELM, PATH, ../tools beside DSR_TEST_SERVERS), and DSR_REQUIRE_SERVERS is set');
  return found;
}

export const chartFolder = (): string => repository('docker/helm/opendsr-service');

/** What a release is rendered with. */
export interface Rendering {
  readonly release?: string;
  readonly namespace?: string;
  /** Files of values, later ones over earlier ones. */
  readonly files?: readonly string[];
  /** Values over those of the files, as an object; they are read from stdin. */
  readonly values?: object;
  /** Default: ours. */
  readonly chart?: string;
}

export type Outcome = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/** One program, asked as often as a spec needs it. */
export class Helm {
  constructor(private readonly program: string) {}

  template({ release = 'dsr', namespace = 'privacy', files = [], values = {}, chart = chartFolder() }: Rendering): Outcome {
    const from = [...files, '-'].flatMap((file) => ['--values', file]);
    // The oldest Kubernetes that the chart takes, so that nothing depends on the version of helm.
    return this.run(['template', release, chart, '--namespace', namespace, '--kube-version', '1.30.0', ...from], JSON.stringify(values));
  }

  lint({ files = [], values = {} }: Pick<Rendering, 'files' | 'values'>): Outcome {
    return this.run(['lint', '--strict', chartFolder(), ...[...files, '-'].flatMap((file) => ['--values', file])], JSON.stringify(values));
  }

  private run(args: readonly string[], input: string): Outcome {
    const { status, stdout, stderr, error } = spawnSync(this.program, args, { input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, timeout: 15_000 });
    if (error) throw error;
    return status === 0 ? { ok: true, text: stdout } : { ok: false, message: `${stderr}\n${stdout}`.trim() };
  }
}
