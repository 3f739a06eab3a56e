import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { chartFolder } from '../chart/helm';
import { Controller } from '../e2e/controller';
import { repository } from '../e2e/repository';
import { must } from '../images/docker';
import type { Kubernetes } from './kubernetes';
import type { Stores } from './stores';

export const NAMESPACE = 'opendsr';
const RELEASE = 'opendsr';
const SERVICE = 'opendsr-opendsr-service';
const WITHIN = '600s';

/** Bash blocks of docs/kubernetes.md that come after a line that begins so. */
async function linesOf(heading: string): Promise<string> {
  const page = await readFile(repository('docs/kubernetes.md'), 'utf8');
  const block = /```sh\n([\s\S]*?)```/.exec(page.slice(page.indexOf(heading)))?.[1];
  if (block === undefined) throw new Error(`docs/kubernetes.md has no lines after "${heading}"`);
  return block;
}

/** The release of the chart in a namespace that allows restricted pods only. */
export class Installation {
  private constructor(
    private readonly cluster: Kubernetes,
    readonly folder: string,
    private readonly valuesFile: string,
  ) {}

  /** Makes namespace, quota, secrets and values. `image`: in the cluster already. */
  static async prepare(cluster: Kubernetes, stores: Stores, image: string, folder: string): Promise<Installation> {
    await cluster.kubectl('create', 'namespace', NAMESPACE);
    await cluster.kubectl('label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted');
    await cluster.kubectl('-n', NAMESPACE, 'create', 'quota', 'all', '--hard=pods=40,limits.memory=24Gi');
    const secrets = join(folder, 'secrets');
    await mkdir(secrets, { mode: 0o700 });
    const made = await must('docker', [
      ...['run', '--rm', '--user', '0', '--volume', `${secrets}:/out`, image],
      ...['dsr', 'secrets', 'make', '--dir', '/out', '--sandbox', '--shown-as', 'secrets', '--namespace', NAMESPACE],
    ]);
    const printed = made
      .split('\n')
      .filter((line) => line.trimStart().startsWith('kubectl '))
      .join('\n');
    const { username, password } = stores.kafkaUser;
    const { code, errorOutput } = await cluster.shell(
      `${printed}
      kubectl -n ${NAMESPACE} create secret generic opendsr-mongodb --from-literal=uri='${stores.mongodbUri}'
      kubectl -n ${NAMESPACE} create secret generic opendsr-kafka --from-literal=password='${password}'
      kubectl -n ${NAMESPACE} create secret generic kafka-ca --from-file=ca.crt='${stores.kafkaAuthorityFile}'
      kubectl -n ${NAMESPACE} create secret generic opendsr-trust --from-file=ca.crt=secrets/certificates/authority.pem`,
      folder,
    );
    if (code !== 0) throw new Error(`the secrets cannot be made:\n${errorOutput}`);
    const [repositoryName = '', tag = ''] = image.split(':');
    const valuesFile = join(folder, 'values.yaml');
    const sandbox = parse(await readFile(join(chartFolder(), 'sandbox-values.yaml'), 'utf8')) as object;
    const here = {
      image: { registry: 'docker.io/library', repository: repositoryName, tag, pullPolicy: 'Never' },
      kafka: {
        ...(sandbox as { kafka: object }).kafka,
        brokers: [stores.brokers],
        tls: { enabled: true, caSecret: { name: 'kafka-ca' } },
        sasl: { mechanism: 'scram-sha-512', username, passwordSecret: { name: 'opendsr-kafka' } },
      },
      networkPolicy: { mongodb: { ports: [stores.mongodbPort] } },
      operatorJob: { trustSecret: { name: 'opendsr-trust' } },
    };
    await writeFile(valuesFile, stringify({ ...sandbox, ...here, defaults: defaultsOf(sandbox) }));
    return new Installation(cluster, folder, valuesFile);
  }

  install(): Promise<void> {
    return this.roll('install');
  }

  /** Changes values, and waits until every pod is replaced. */
  upgrade(...values: readonly string[]): Promise<void> {
    return this.roll('upgrade', ...values.flatMap((value) => ['--set', value]));
  }

  async rollback(): Promise<void> {
    await this.cluster.helm('rollback', RELEASE, '-n', NAMESPACE, '--wait', '--timeout', WITHIN);
  }

  async uninstall(): Promise<void> {
    await this.cluster.helm('uninstall', RELEASE, '-n', NAMESPACE, '--wait', '--timeout', WITHIN);
  }

  /** A controller of a new workspace, made as the page says, that calls through the Services. */
  async controller(): Promise<Controller> {
    const exec = [
      '-n',
      NAMESPACE,
      'exec',
      `deploy/${SERVICE}-gateway`,
      '--',
      '/usr/local/bin/node',
      '/app/opendsr.mjs',
    ];
    await this.cluster.kubectl(...exec, 'dsr', 'workspaces', 'create', '--workspace', 'acme', '--name', 'Acme');
    const made = await this.cluster.kubectl(...exec, 'dsr', 'keys', 'create', '--workspace', 'acme');
    const wordAfter = (name: string): string => new RegExp(`^${name} +(\\S+)$`, 'm').exec(made)?.[1] ?? '';
    const [key, secret] = [wordAfter('key'), wordAfter('secret')];
    const at = async (app: string) => {
      const { spec } = await this.cluster.json<{ spec: { clusterIP: string } }>(
        ...['-n', NAMESPACE, 'get', 'service', `${SERVICE}-${app}`],
      );
      return `http://${spec.clusterIP}:8080`;
    };
    // Each call on a connection of its own, so that the Service chooses a pod for it.
    const headers = { connection: 'close' };
    return new Controller({ baseUrls: [await at('gateway')], ingestUrl: await at('ingestion'), key, secret, headers });
  }

  /** Runs `dsr doctor` by the lines of the page; what its Job came to, and its log. */
  async doctor(words: string): Promise<{ readonly condition: string; readonly log: string }> {
    const lines = (await linesOf('## The operator'))
      .replace('chart=docker/helm/opendsr-service', `chart='${chartFolder()}'`)
      .replace('job doctor)', `job ${words})`);
    const { output, errorOutput } = await this.cluster.shell(lines, this.folder);
    const said = output.trimEnd().split('\n');
    return { condition: said.at(-1) ?? '', log: [...said.slice(0, -1), errorOutput].join('\n') };
  }

  /** How often containers of the release have been started again. */
  async restarts(): Promise<number> {
    interface Pods {
      readonly items: readonly {
        readonly status: { readonly containerStatuses?: readonly { restartCount: number }[] };
      }[];
    }
    const { items } = await this.cluster.json<Pods>('-n', NAMESPACE, 'get', 'pods');
    return items
      .flatMap(({ status }) => status.containerStatuses ?? [])
      .reduce((sum, { restartCount }) => sum + restartCount, 0);
  }

  /** Kills one pod of an app at once, as the loss of its node would. */
  async killPod(app: string): Promise<void> {
    const name = await this.cluster.kubectl(
      ...['-n', NAMESPACE, 'get', 'pods', '-l', `app.kubernetes.io/component=${app}`, '-o', 'name'],
    );
    await this.cluster.kubectl('-n', NAMESPACE, 'delete', name.split('\n')[0] ?? '', '--grace-period=0', '--force');
  }

  async allReady(): Promise<void> {
    await this.cluster.kubectl(
      ...['-n', NAMESPACE, 'rollout', 'status', 'deployment', '-l', `app.kubernetes.io/instance=${RELEASE}`],
      `--timeout=${WITHIN}`,
    );
  }

  private async roll(how: 'install' | 'upgrade', ...more: readonly string[]): Promise<void> {
    const files = ['-f', this.valuesFile];
    const wait = ['--wait', '--timeout', WITHIN];
    await this.cluster.helm(how, RELEASE, chartFolder(), '-n', NAMESPACE, ...files, ...more, ...wait);
  }
}

/** Two pods of each, so that one can be replaced. */
const defaultsOf = (sandbox: object): object => ({
  ...(sandbox as { readonly defaults: object }).defaults,
  replicas: 2,
});
