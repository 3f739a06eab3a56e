import { dsr } from './operator';
import type { Credentials, Service } from './service';

/** The workspace beside the sandbox's. */
const OTHER = 'other';

interface NewWorkspace {
  readonly ws: string;
  readonly name: string;
  readonly controllerId: string;
}

/** Makes the second workspace of all suites when it is first asked for: the operator's tool takes seconds. */
export function otherOf(service: Pick<Service, 'operatorEnv'>): () => Promise<Credentials> {
  let made: Promise<Credentials> | undefined;
  return () => (made ??= makeWorkspace(service, { ws: OTHER, name: 'Other', controllerId: '2704' }));
}

/** Makes a workspace and a key of it by the operator's tool, beside the running service. */
export async function makeWorkspace(
  service: Pick<Service, 'operatorEnv'>,
  { ws, name, controllerId }: NewWorkspace,
): Promise<Credentials> {
  const named = ['--workspace', ws, '--name', name, '--controller-id', controllerId];
  await said(dsr(service, 'workspaces', 'create', ...named));
  const output = await said(dsr(service, 'keys', 'create', '--workspace', ws));
  const [key, secret] = ['key', 'secret'].map((label) => new RegExp(`^${label} {2}(\\S+)$`, 'm').exec(output)?.[1]);
  if (key === undefined || secret === undefined) throw new Error('dsr keys create did not show a key and its secret');
  return { key, secret };
}

async function said(run: ReturnType<typeof dsr>): Promise<string> {
  const { code, output } = await run;
  if (code !== 0) throw new Error(`dsr ended with ${String(code)}:\n${output}`);
  return output;
}
