import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestStatus } from '@opendsr-service/contracts';
import { Receiver } from '../receiver/receiver';
import { until } from '../receiver/until';
import { describeInFull } from './full';
import { lastWords } from './child-service';
import { concurrently } from './concurrently';
import { Controller, raw, requestBody } from './controller';
import { startCheckingReceiver, type CheckingReceiver } from './deaths/checking-receiver';
import { prepareDispatcher } from './deaths/own-dispatcher';
import { seedRequests, STATUSES } from './deaths/seed-requests';
import { noRateLimits } from './service';
import { startStandalone } from './standalone';

const { DSR_TEST_KAFKA_BROKERS: kafkaBrokers, DSR_TEST_MONGODB_URI: mongodbUri } = process.env;
const DELIVERIES = 5_000;
/** The shares of deliveries after which the sender is killed. */
const DEATHS = [0.1, 0.25, 0.4, 0.55, 0.7, 0.85];
const URLS_EACH = 2;
const AT_ONCE = 16;
const ALL_MS = 240_000;
const LONGEST_MS = 2 * ALL_MS;

/** Time-outs bound the lease of what a killed process was sending, and so how long that waits. */
const settings = {
  CALLBACK_TICK_MS: '200',
  CALLBACK_RETRY_GAPS_MS: '200,400,800,1600,3200',
  CALLBACK_CONCURRENCY: '16',
  CALLBACK_CONNECT_TIMEOUT_MS: '500',
  CALLBACK_HEADERS_TIMEOUT_MS: '1000',
  CALLBACK_BODY_TIMEOUT_MS: '500',
  CALLBACK_TIMEOUT_MS: '2000',
};

/** Enough destinations for all deliveries, with the statuses for each. */
const destinationsFor = (statuses: readonly RequestStatus[]): Map<string, readonly RequestStatus[]> =>
  new Map(Array.from({ length: Math.ceil(DELIVERIES / statuses.length) }, () => [`/${randomUUID()}`, statuses]));

/** Kills the sender during deliveries, several times, and waits until all are delivered. */
async function throughDeaths(
  { ledger }: CheckingReceiver,
  deaths: readonly number[],
  killAndStart: () => Promise<void>,
): Promise<void> {
  for (const death of deaths) {
    await until('the next death', () => ledger.accepted >= death * ledger.total, ALL_MS);
    expect(ledger.accepted).toBeLessThan(ledger.total);
    await killAndStart();
  }
  await until('all deliveries', () => ledger.accepted === ledger.total, ALL_MS).catch(() => undefined);
  const { accepted, total, repeats } = ledger;
  process.stdout.write(`${accepted} of ${total} deliveries, ${deaths.length} deaths, ${repeats} repeated\n`);
}

const nothing = { lost: [], disordered: [], unlike: [], unbelieved: [] };
const title =
  'killed during deliveries it loses none, keeps the order of each destination and repeats only the same bytes with the same id';

// Side by side, because most of the time is a wait for claims of killed processes.
describeInFull('the callback-dispatcher', () => {
  const onServers = kafkaBrokers && mongodbUri ? it.concurrent : it.skip;

  onServers(
    `on Kafka and MongoDB: ${title}`,
    async () => {
      const dispatcher = await prepareDispatcher(
        { kafkaBrokers: kafkaBrokers ?? '', mongodbUri: mongodbUri ?? '' },
        settings,
      );
      const receiver = await Receiver.start(dispatcher.receiverTls);
      try {
        const destinations = destinationsFor(STATUSES);
        const checking = startCheckingReceiver(receiver, destinations, dispatcher.saved);
        const urls = [...destinations.keys()].map((path, n) =>
          receiver.url(path, n % 2 === 0 ? 'localhost' : '127.0.0.1'),
        );
        await seedRequests(
          dispatcher,
          urls.flatMap((_, n) => (n % URLS_EACH === 0 ? [urls.slice(n, n + URLS_EACH)] : [])),
        );
        await dispatcher.start();
        await throughDeaths(checking, DEATHS, async () => void (await dispatcher.kill(), await dispatcher.start()));
        expect(checking.ledger.faults()).toEqual(nothing);
      } catch (error) {
        console.error(String(error), lastWords(dispatcher.processes, error));
        throw error;
      } finally {
        await dispatcher.remove();
        await receiver.close();
      }
    },
    LONGEST_MS,
  );

  it.concurrent(
    `in one process with all services: ${title}`,
    async () => {
      const service = await startStandalone({
        ...noRateLimits,
        ...settings,
        TIMING_PROFILE: 'sandbox',
        PORTABILITY_WAIT_MS: '1h',
      });
      const receiver = await Receiver.start(service.receiverTls);
      try {
        const certificatePem = await readFile(join(service.dataDir, 'certificates/v2.pem'), 'utf8');
        const destinations = destinationsFor(['pending', 'cancelled']);
        const checking = startCheckingReceiver(receiver, destinations, {
          domain: service.trust.domains[0] ?? '',
          authorityPem: service.trust.authorityPem,
          certificatePem,
        });
        checking.open = false;
        const controller = new Controller(service);
        const answers = await concurrently([...destinations.keys()], AT_ONCE, async (path) => {
          const body = requestBody({
            subject_request_type: 'portability',
            subject_identities: [raw('controller_customer_id', path)],
            status_callback_urls: [receiver.url(path)],
          });
          const created = await controller.create(body);
          return [created.status, (await controller.cancel(body.subject_request_id)).status];
        });
        expect(answers.filter(([created, cancelled]) => created !== 201 || cancelled !== 202)).toEqual([]);
        checking.open = true;
        await throughDeaths(checking, DEATHS, () => service.crash());
        expect(checking.ledger.faults()).toEqual(nothing);
      } finally {
        await service.stop();
        await receiver.close();
      }
    },
    LONGEST_MS,
  );
});
