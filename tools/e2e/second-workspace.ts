import { dsr } from './operator';
import type { Credentials, Service } from './service';

/** The workspace beside the sandbox's. */
const OTHER = 'other';

/** Makes a second workspace and a key of it by the operator's tool, beside the running service. */
export async function makeOther(service: Pick<Service, 'operatorEnv'>): Promise<Credentials> {
  await said(dsr(service, 'workspaces', 'create', '--workspace', OTHER, '--name', 'Other', '--controller-id', '2704'));
  const output = await said(dsr(service, 'keys', 'create', '--workspace', OTHER));
  const [key, secret] = ['key', 'secret'].map((label) => new RegExp(`^${label} {2}(\\S+)$`, 'm').exec(output)?.[1]);
  if (key === undefined || secret === undefined) throw new Error('dsr keys create did not show a key and its secret');
  return { key, secret };
}

async function said(run: ReturnType<typeof dsr>): Promise<string> {
  const { code, output } = await run;
  if (code !== 0) throw new Error(`dsr ended with ${String(code)}:\n${output}`);
  return output;
}
