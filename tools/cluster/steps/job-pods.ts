import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import type { Installation } from '../installation';
import { listening } from './listening';

/** The components that run for a while only: the operator's Job, the topics Job, and the pod of `helm test`. */
export const JOB_PODS = ['operator', 'topics', 'test'] as const;

interface Template {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly object[] };
}

interface Rendered extends Template {
  readonly kind: string;
  readonly spec: Template['spec'] & { readonly template?: Template };
}

const objectsIn = (text: string): Rendered[] =>
  parseAllDocuments(text).flatMap((document) => (document.toJS() as Rendered | null) ?? []);

const componentOf = ({ metadata }: Rendered): string | undefined => metadata.labels['app.kubernetes.io/component'];

/**
 * Runs something while a pod of each Job and of `helm test` is there, as the chart makes it but for its program, which
 * only listens. The policies that the chart has for the time of a test are there too.
 */
export async function withJobPods(installation: Installation, run: () => Promise<void>): Promise<void> {
  const hooks = objectsIn(await installation.release('hooks'));
  const all = [
    ...hooks,
    ...objectsIn(await installation.release('manifest')),
    ...objectsIn(await installation.operatorJob()),
  ];
  const pods = JOB_PODS.map((component) => {
    const found = all.find((object) => /^(Job|Pod)$/.test(object.kind) && componentOf(object) === component);
    if (!found) throw new Error(`the chart renders no ${component}`);
    return podOf(component, found.spec.template ?? found);
  });
  const file = join(installation.folder, 'job-pods.yaml');
  const objects = [...hooks.filter(({ kind }) => kind === 'NetworkPolicy'), ...pods];
  await writeFile(file, objects.map((object) => stringify(object)).join('---\n'));
  await installation.kubectl('create', '-f', file);
  try {
    await installation.kubectl(
      'wait',
      '--for=condition=Ready',
      ...pods.map(({ metadata }) => `pod/${metadata.name}`),
      '--timeout=120s',
    );
    await run();
  } finally {
    await installation.kubectl('delete', '-f', file, '--grace-period=0', '--force');
  }
}

function podOf(component: string, { metadata: { labels }, spec }: Template) {
  const [command, ...args] = listening;
  return {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: `probe-${component}`, labels } },
    spec: {
      ...spec,
      activeDeadlineSeconds: undefined,
      template: undefined,
      containers: spec.containers.map((container) => ({ ...container, command: [command], args })),
    },
  };
}
