import { setTimeout as sleep } from 'node:timers/promises';
import { TOPICS } from '@opendsr-service/contracts';
import type { OutgoingRecord } from '@opendsr-service/messaging';
import { Customers } from '../participant/customers';
import { Shares } from '../participant/shares';
import { until } from '../receiver/until';
import { ChildService } from './child-service';
import { gatewayAdminUrl, SANDBOX, withLog, type Registered } from './operator';
import type { Service } from './service';

const RETRY_MS = 200;

/**
 * Runs the example participant until the work is done: as a separate process on Kafka, or in this process on the
 * embedded event log, for which it has no client.
 */
export async function withExample(
  service: Service,
  registered: Registered,
  customersFile: string,
  work: () => Promise<void>,
): Promise<void> {
  const stop =
    service.operatorEnv.KAFKA_BROKERS === undefined
      ? followEmbedded(service, registered, customersFile)
      : await spawnExample(service, registered, customersFile);
  try {
    await work();
  } finally {
    await stop();
  }
}

async function spawnExample(
  service: Service,
  { name, secret }: Registered,
  customersFile: string,
): Promise<() => Promise<unknown>> {
  const { KAFKA_BROKERS = '', KAFKA_TOPIC_PREFIX = '' } = service.operatorEnv;
  const env = {
    KAFKA_BROKERS,
    KAFKA_TOPIC_PREFIX,
    DSR_ADMIN_URL: gatewayAdminUrl(service),
    PARTICIPANT_WORKSPACE: SANDBOX,
    PARTICIPANT_NAME: name,
    PARTICIPANT_SECRET: secret,
    CUSTOMERS_FILE: customersFile,
    RETRY_SECONDS: String(RETRY_MS / 1_000),
  };
  const example = ChildService.spawn({
    name: 'participant',
    args: ['tools/run.mjs', 'tools/participant/participant.ts'],
    env,
  });
  await until('the example participant to take part', () => {
    if (!example.running) throw new Error(`the example participant ended:\n${example.output}`);
    return example.output.includes('takes part');
  }).catch(async (error: unknown) => {
    await example.stop();
    throw error;
  });
  return () => example.stop();
}

function followEmbedded(service: Service, { name, secret }: Registered, customersFile: string): () => Promise<unknown> {
  let stopping = false;
  const following = withLog(service, async (log) => {
    const me = { ws: SANDBOX, name, secret, gateway: gatewayAdminUrl(service), earlyWaitsMs: [] };
    const publish = (record: OutgoingRecord) => log.publisher.publish(TOPICS.participantReports.name, [record]);
    const shares = new Shares(me, new Customers(customersFile), publish, () => undefined);
    let positions = {};
    while (!stopping) {
      positions = await log.read(TOPICS.requestEvents.name, positions, async (records) => {
        for (const { headers, value } of records)
          await shares.handle({
            type: headers.ce_type ?? '',
            ws: headers.ce_workspaceid ?? '',
            value: value.toString(),
          });
      });
      await shares.retryOpen();
      await sleep(RETRY_MS);
    }
  });
  // What went wrong is thrown by stop.
  following.catch(() => undefined);
  return () => {
    stopping = true;
    return following;
  };
}
