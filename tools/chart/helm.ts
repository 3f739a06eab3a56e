import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { repository } from '../e2e/repository';
import { findProgram, type ProgramEnv } from '../find-program';

interface HelmEnv extends ProgramEnv {
  readonly DSR_TEST_HELM?: string;
  readonly DSR_TEST_SERVERS?: string;
}

/** Where helm is: what `DSR_TEST_HELM` names, the PATH, or the folder `tools` beside that of the test servers; see `findProgram`. */
export function findHelm(env: HelmEnv): string | undefined {
  const beside = env.DSR_TEST_SERVERS ? [resolve(repository(), env.DSR_TEST_SERVERS, '../tools/helm')] : [];
  return findProgram(
    { name: 'helm', variable: 'DSR_TEST_HELM', beside, places: '../tools beside DSR_TEST_SERVERS' },
    env.DSR_TEST_HELM,
    env,
  );
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
  /** The one template that is shown, in place of all. */
  readonly only?: string;
}

export type Outcome = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string };

/** One program, asked as often as a spec needs it. */
export class Helm {
  constructor(private readonly program: string) {}

  template({
    release = 'dsr',
    namespace = 'privacy',
    files = [],
    values = {},
    chart = chartFolder(),
    only,
  }: Rendering): Outcome {
    const from = [
      ...[...files, '-'].flatMap((file) => ['--values', file]),
      ...(only === undefined ? [] : ['--show-only', only]),
    ];
    // The oldest Kubernetes that the chart takes, so that nothing depends on the version of helm.
    return this.run(
      ['template', release, chart, '--namespace', namespace, '--kube-version', '1.30.0', ...from],
      JSON.stringify(values),
    );
  }

  lint({ files = [], values = {} }: Pick<Rendering, 'files' | 'values'>): Outcome {
    return this.run(
      ['lint', '--strict', chartFolder(), ...[...files, '-'].flatMap((file) => ['--values', file])],
      JSON.stringify(values),
    );
  }

  private run(args: readonly string[], input: string): Outcome {
    const { status, stdout, stderr, error } = spawnSync(this.program, args, {
      input,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      timeout: 120_000,
    });
    if (error) throw error;
    return status === 0 ? { ok: true, text: stdout } : { ok: false, message: `${stderr}\n${stdout}`.trim() };
  }
}
