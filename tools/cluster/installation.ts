import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { V1, type ProtocolVersion } from '@opendsr-service/contracts';
import { chartFolder } from '../chart/helm';
import type { Account } from '../e2e/controller';
import type { Credentials } from '../e2e/service';
import type { Called } from '../e2e/rolling/cluster';
import { placeOf } from '../demo/receiver-place';
import { Receiver } from '../receiver/receiver';
import type { Trust } from '../receiver/verification';
import { Forwarder } from './forwarder';
import { installLines, makeSecrets } from './install-lines';
import { credentialsIn, type Kubernetes } from './kubernetes';
import { APPS, CHART, domains, NAMESPACE, RELEASE, SERVICE, trialDomains, WITHIN, type Form } from './names';
import { filledIn, linesAfter } from './page';
import type { Stores } from './stores';
import { productionValues, trialValues, type Place } from './values';

interface Pods {
  readonly items: readonly {
    readonly metadata: { readonly uid: string };
    readonly status: { readonly containerStatuses?: readonly { readonly restartCount: number }[] };
  }[];
}

/** Where something is installed. */
export interface Installed {
  readonly cluster: Kubernetes;
  readonly stores: Stores;
  /** The folder of the run, with one for each installation. */
  readonly parent: string;
}

interface Made {
  readonly where: Installed;
  readonly folder: string;
  readonly form: Form;
  readonly gateway: Forwarder;
  readonly ingestion: Forwarder;
  readonly receiver: Receiver;
  readonly authorityPem: string;
  readonly credentials: Credentials;
}

/** What runs in the cluster and is called from this machine. */
export class Installation implements Called, Installed {
  private readonly trusts: { readonly v2: Trust; readonly v1: Trust };

  private constructor(private readonly made: Made) {
    const { authorityPem, gateway } = made;
    const [v2 = '', v1 = ''] = this.domains;
    const trusted = (domain: string): Trust => ({ domains: [domain], baseUrl: gateway.url, authorityPem });
    this.trusts = { v2: trusted(v2), v1: trusted(v1) };
  }

  /** Makes a namespace with a quota for restricted pods, and installs the chart by the lines of the page. */
  static async install({ cluster, stores, parent }: Installed, form: Form): Promise<Installation> {
    const folder = join(parent, form);
    await mkdir(folder);
    await cluster.kubectl('delete', 'namespace', NAMESPACE, '--ignore-not-found', '--timeout', WITHIN);
    await makeSecrets(cluster, stores, folder, form);
    const [gateway, ingestion] = [await Forwarder.start(), await Forwarder.start()];
    const place: Place = { stores, hostIp: cluster.hostIp, gatewayUrl: gateway.url };
    await writeFile(
      join(folder, 'values.yaml'),
      await (form === 'production' ? productionValues(place) : trialValues(place)),
    );
    await cluster.kubectl('label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted');
    await cluster.kubectl('-n', NAMESPACE, 'create', 'quota', 'all', '--hard=pods=40,limits.memory=24Gi');
    const printed = await cluster.shell(await installLines(form), folder);
    for (const [forwarder, app] of [
      [gateway, 'gateway'],
      [ingestion, 'ingestion'],
    ] as const)
      forwarder.leadTo(await cluster.serviceIp(NAMESPACE, `${SERVICE}-${app}`), 8080);
    const certificates = join(folder, 'secrets/certificates');
    const { tls } = await placeOf(certificates, cluster.hostIp);
    return new Installation({
      where: { cluster, stores, parent },
      folder,
      form,
      gateway,
      ingestion,
      receiver: await Receiver.start(tls, { host: cluster.hostIp, port: 0 }),
      authorityPem: await readFile(join(certificates, 'authority.pem'), 'utf8'),
      credentials: credentialsIn(printed),
    });
  }

  get cluster(): Kubernetes {
    return this.made.where.cluster;
  }

  get stores(): Stores {
    return this.made.where.stores;
  }

  get folder(): string {
    return this.made.folder;
  }

  get receiver(): Receiver {
    return this.made.receiver;
  }

  get account(): Account {
    const { gateway, ingestion, credentials } = this.made;
    return { baseUrls: [gateway.url], ingestUrl: ingestion.url, ...credentials };
  }

  get parent(): string {
    return this.made.where.parent;
  }

  /** Not a method, because callers take it apart from its object. One object for each version keeps what its verifier has fetched. */
  readonly trustOf = (version: ProtocolVersion): Trust => (version === V1 ? this.trusts.v1 : this.trusts.v2);

  /** Changes values, and waits until every pod is replaced. */
  async upgrade(...values: readonly string[]): Promise<void> {
    const set = values.flatMap((value) => ['--set', value]);
    await this.helm('upgrade', chartFolder(), '--reuse-values', ...set);
  }

  rollback(): Promise<void> {
    return this.helm('rollback');
  }

  /** Runs `helm test`, and answers what it says. */
  test(): Promise<string> {
    return this.cluster.helm('test', RELEASE, '-n', NAMESPACE, '--timeout', WITHIN);
  }

  /** Runs lines of the page in the folder of the installation, where its secrets are. */
  async lines(lines: string): Promise<string> {
    return this.cluster.shell(lines.replaceAll(CHART, `'${chartFolder()}'`), this.folder);
  }

  /** Runs `dsr` as a Job by the lines of the page; what it came to, and its log. */
  async job(words: string): Promise<{ readonly condition: string; readonly log: string }> {
    const lines = filledIn(await operatorLines(), { 'job doctor)': `job ${words})` });
    const said = (await this.cluster.shell(lines, this.folder)).trimEnd().split('\n');
    return { condition: said.at(-1) ?? '', log: said.slice(0, -1).join('\n') };
  }

  /** The operator's Job as the lines of the page render it. */
  async operatorJob(): Promise<string> {
    const functions = filledIn(await operatorFunctions(), { '| kubectl create -o name -f -': '' });
    return this.cluster.shell(`${functions}\njob doctor`, this.folder);
  }

  /** What helm has installed: its `hooks`, or all else, its `manifest`. */
  release(what: 'hooks' | 'manifest'): Promise<string> {
    return this.cluster.helm('get', what, RELEASE, '-n', NAMESPACE);
  }

  /** Stops all services, runs `dsr restore` and starts them again, by the lines of the page. */
  async restore(): Promise<{ readonly condition: string; readonly log: string }> {
    const lines = filledIn(await linesAfter('### Stopping all services'), {
      'run=$(job restore)':
        'run=$(job restore); until ended $run | grep .; do sleep 1; done; kubectl -n opendsr logs $run',
      // There is no KEDA here, and its kinds may be unknown.
      'kubectl -n opendsr annotate scaledobject': 'true kubectl -n opendsr annotate scaledobject',
    });
    const said = await this.cluster.shell(`${await operatorFunctions()}\n${lines}`, this.folder);
    await this.allReady();
    const condition = /^(Complete|Failed)$/m.exec(said)?.[1] ?? '';
    return { condition, log: said };
  }

  /** Makes a workspace with a key. */
  workspace(name: string): Promise<Credentials> {
    return this.cluster.workspace(NAMESPACE, `deploy/${SERVICE}-gateway`, name);
  }

  /** Of the pods of an app. */
  async addressesOf(app: string): Promise<string[]> {
    const ips = 'jsonpath={.items[*].status.podIP}';
    return (await this.kubectl('get', 'pods', '-l', `app.kubernetes.io/component=${app}`, '-o', ips)).split(' ');
  }

  /** The accepted values of the processor domain header, of version 2 and 1. */
  get domains(): readonly string[] {
    const { v2, v1 } = this.made.form === 'production' ? domains : trialDomains;
    return [v2, v1];
  }

  kubectl(...args: readonly string[]): Promise<string> {
    return this.cluster.kubectl('-n', NAMESPACE, ...args);
  }

  /** Waits until every pod of every Deployment is replaced and ready. */
  async allReady(): Promise<void> {
    await this.kubectl('rollout', 'status', 'deployment', '-l', this.label, `--timeout=${WITHIN}`);
  }

  /** The names of the pods of an app. */
  async podsOf(app: string): Promise<string[]> {
    const names = await this.kubectl('get', 'pods', '-l', `app.kubernetes.io/component=${app}`, '-o', 'name');
    return names.split('\n').map((name) => name.replace('pod/', ''));
  }

  async podUid(pod: string): Promise<string> {
    return this.kubectl('get', 'pod', pod, '-o', 'jsonpath={.metadata.uid}');
  }

  /** Runs JavaScript in a pod, and answers what it prints. */
  inPod(pod: string, script: string, namespace = NAMESPACE): Promise<string> {
    const node = ['/usr/local/bin/node', '--input-type=module', '--eval', script];
    return this.cluster.kubectl('-n', namespace, 'exec', pod, '--', ...node);
  }

  /** Why the container of a pod ended last. */
  lastEnd(pod: string): Promise<string> {
    const last = 'jsonpath={.status.containerStatuses[0].lastState.terminated.reason}';
    return this.kubectl('get', 'pod', pod, '-o', last);
  }

  /** How often containers have been started again, by pod. */
  async restarts(): Promise<ReadonlyMap<string, number>> {
    const { items } = await this.cluster.json<Pods>('-n', NAMESPACE, 'get', 'pods', '-l', this.ofServices);
    return new Map(
      items.map(({ metadata, status }) => [
        metadata.uid,
        (status.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0),
      ]),
    );
  }

  /** Replaces every pod, as after a change of a Secret. */
  async restartAll(): Promise<void> {
    await this.kubectl('rollout', 'restart', 'deployment', '-l', this.label);
    await this.allReady();
  }

  async close(): Promise<void> {
    const { gateway, ingestion, receiver } = this.made;
    gateway.close();
    ingestion.close();
    await receiver.close();
  }

  /** Removes the release; the namespace with its secrets stays. */
  async uninstall(): Promise<void> {
    await this.helm('uninstall');
  }

  get label(): string {
    return `app.kubernetes.io/instance=${RELEASE}`;
  }

  private get ofServices(): string {
    return `${this.label},app.kubernetes.io/component in (${APPS})`;
  }

  private async helm(how: string, ...more: readonly string[]): Promise<void> {
    await this.cluster.helm(how, RELEASE, ...more, '-n', NAMESPACE, '--wait', '--timeout', WITHIN);
  }
}

/** Of the page: how `dsr` runs as a Job. */
const operatorLines = async (): Promise<string> =>
  filledIn(await linesAfter('## The operator'), { [`chart=${CHART}`]: `chart='${chartFolder()}'` });

/** What these lines define. */
const operatorFunctions = async (): Promise<string> =>
  (await operatorLines())
    .split('\n')
    .filter((line) => /^(chart=|job\(\)|ended\(\))/.test(line))
    .join('\n');
