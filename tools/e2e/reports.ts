import { requestEvents, TOPICS, type RequestEvent } from '@opendsr-service/contracts';
import { reportRecord, type Report } from '../participant/report';
import { until } from '../receiver/until';
import { SANDBOX, withLog, type Registered } from './operator';
import type { Service } from './service';

type Share = Pick<Report, 'status' | 'statusMessage'>;

/** Waits for the event of this type of a request. What was read is not read again. */
export async function awaitEvent<T extends RequestEvent['type']>(
  service: Pick<Service, 'operatorEnv'>,
  srid: string,
  type: T,
): Promise<Extract<RequestEvent, { type: T }>> {
  const isWanted = (event: RequestEvent): event is Extract<RequestEvent, { type: T }> =>
    event.srid === srid && event.type === type;
  return withLog(service, (log) => {
    let positions = {};
    return until(`the event ${type} of a request`, async () => {
      const seen: RequestEvent[] = [];
      positions = await log.read(TOPICS.requestEvents.name, positions, (records) =>
        Promise.resolve(void seen.push(...records.map((record) => requestEvents.decode(record)))),
      );
      return seen.find(isWanted);
    });
  });
}

/** A status shows the participants before they are asked, and a report of before is parked. */
export const awaitStarted = (service: Pick<Service, 'operatorEnv'>, srid: string): Promise<unknown> =>
  awaitEvent(service, srid, 'RequestStarted');

/** Writes reports once the participant is asked, without waiting for their effect. */
export async function report(
  service: Pick<Service, 'operatorEnv'>,
  srid: string,
  { name: participant, secret }: Pick<Registered, 'name' | 'secret'>,
  ...shares: readonly Share[]
): Promise<void> {
  await awaitStarted(service, srid);
  await withLog(service, (log) =>
    log.publisher.publish(
      TOPICS.participantReports.name,
      shares.map((share) => reportRecord({ ws: SANDBOX, srid, participant, ...share }, secret, new Date())),
    ),
  );
}
