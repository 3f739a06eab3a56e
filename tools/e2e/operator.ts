import { openLog, type EventLog } from '@opendsr-service/messaging';
import { ChildService } from './child-service';
import type { Service } from './service';

/** The workspace that the sandbox makes. */
export const SANDBOX = 'sandbox';

/** Runs the operator's tool beside the service, on the same stores. */
export async function dsr(
  { operatorEnv }: Pick<Service, 'operatorEnv'>,
  ...args: readonly string[]
): Promise<{ code: number | null; output: string }> {
  const child = ChildService.spawn({ name: 'dsr', args: ['apps/cli/dist/main.mjs', ...args], env: operatorEnv });
  return { code: await child.exit(), output: child.output };
}

/** The log of the service as others may use it: the embedded one, or the brokers. */
export async function withLog<T>(
  { operatorEnv }: Pick<Service, 'operatorEnv'>,
  work: (log: EventLog) => Promise<T>,
): Promise<T> {
  const { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: topicPrefix, DATA_DIR: dataDir } = operatorEnv;
  const log = await openLog(
    brokers
      ? { kafka: { brokers: brokers.split(','), clientId: 'e2e', topicPrefix } }
      : { embedded: { file: `${dataDir ?? ''}/log.db` } },
  );
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}

/** Where outside participants ask: the gateway's admin address. */
export function gatewayAdminUrl({ parts }: Pick<Service, 'parts'>): string {
  const gateway = parts().find(({ name }) => name === 'gateway' || name === 'standalone');
  if (!gateway) throw new Error('no gateway is running');
  return gateway.adminUrl;
}

export interface Registered {
  readonly name: string;
  readonly domain: string;
  readonly secret: string;
}

interface ParticipantOptions {
  readonly name: string;
  readonly types: string;
}

/** Registers a participant by the operator's tool. */
export async function register(
  service: Pick<Service, 'operatorEnv'>,
  { name, types }: ParticipantOptions,
): Promise<Registered> {
  const domain = `${name}.example.com`;
  const added = await dsr(
    service,
    'participants',
    'add',
    '--workspace',
    SANDBOX,
    '--name',
    name,
    '--domain',
    domain,
    '--types',
    types,
  );
  const secret = /dsrp_[A-Za-z0-9_-]{43}/.exec(added.output)?.[0];
  if (added.code !== 0 || secret === undefined)
    throw new Error(`the participant was not added:\n${added.output.replace(/dsrp_\S+/, '(secret)')}`);
  return { name, domain, secret };
}

/** Registers a participant for the time of the work, and removes it also after a failure. */
export async function withParticipant(
  service: Service,
  options: ParticipantOptions,
  work: (registered: Registered) => Promise<void>,
): Promise<void> {
  const registered = await register(service, options);
  try {
    await work(registered);
  } finally {
    await dsr(service, 'participants', 'remove', '--workspace', SANDBOX, '--name', options.name);
  }
}
