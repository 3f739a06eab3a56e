import { createHash } from 'node:crypto';
import { TOPICS } from '@opendsr-service/contracts';
import { awaitStatus } from '../../../e2e/follow';
import { Controller, raw, requestBody } from '../../../e2e/controller';
import { register, SANDBOX, withLog } from '../../../e2e/operator';
import { makeWorkspace } from '../../../e2e/second-workspace';
import type { Service } from '../../../e2e/service';
import { reportRecord } from '../../../participant/report';
import { Receiver } from '../../../receiver/receiver';

const DAY_MS = 86_400_000;
const PATH = '/callbacks';

/** What the stores hold while pictures are made: the same requests each time, but for the days, which are counted from now. */
export interface Scene {
  readonly requests: Readonly<Record<'open' | 'completed' | 'failing', string>>;
  close(): Promise<void>;
}

interface Planned {
  readonly type: 'access' | 'erasure' | 'portability';
  readonly regulation?: 'gdpr' | 'ccpa';
  /** How long ago the data subject asked. */
  readonly daysAgo?: number;
  readonly callbacks?: readonly string[];
  readonly ofAcme?: true;
}

/** An id that is the same each time. */
const idOf = (name: string): string => {
  const digits = createHash('sha256').update(name).digest('hex');
  return [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `a${digits.slice(17, 20)}`]
    .concat(digits.slice(20, 32))
    .join('-');
};

/** Requests that wait stand at every place of the legal clock; others have ended. */
const waiting: readonly Planned[] = [
  ...[35, 33, 29, 27, 25, 24, 12, 5, 1].map((daysAgo) => ({ type: 'portability', daysAgo }) as const),
  ...[41, 20].map((daysAgo) => ({ type: 'portability', regulation: 'ccpa', daysAgo, ofAcme: true }) as const),
];
const ended: readonly Planned[] = [
  ...[3, 2, 1].map((daysAgo) => ({ type: 'access', daysAgo, ofAcme: true }) as const),
  ...[2, 1].map((daysAgo) => ({ type: 'erasure', regulation: 'ccpa', daysAgo }) as const),
];

/** Fills a service that has just started. */
export async function setScene(service: Service): Promise<Scene> {
  const [taking, refusing] = [await Receiver.start(service.receiverTls), await Receiver.start(service.receiverTls)];
  refusing.answer(PATH, () => ({ status: 503 }));
  const acme = await makeWorkspace(service, { ws: 'acme', name: 'Acme, Europe', controllerId: '4711' });
  const controller = new Controller(service);
  const of = { own: controller, acme: new Controller({ ...service, ...acme }) };
  const make = (plan: Planned, name: string): Promise<string> => create(plan.ofAcme ? of.acme : of.own, plan, name);
  for (const [at, plan] of [...waiting, ...ended].entries()) await make(plan, `request ${String(at)}`);
  const taken = taking.url(PATH);
  const open = await make({ type: 'portability', daysAgo: 23, callbacks: [taken] }, 'open');
  const completed = await make({ type: 'erasure', daysAgo: 4, callbacks: [taken] }, 'completed');
  // It never reports, so the request stays in progress.
  await register(service, { name: 'billing', types: 'access' });
  const failing = await make({ type: 'access', daysAgo: 2, callbacks: [refusing.url(PATH)] }, 'failing');
  await park(service, open);
  await awaitStatus(controller, completed, 'completed');
  await taking.wait(PATH, 3);
  await refusing.wait(PATH, 2);
  const close = async () => void (await Promise.all([taking.close(), refusing.close()]));
  return { requests: { open, completed, failing }, close };
}

async function create(controller: Controller, plan: Planned, name: string): Promise<string> {
  const { type, regulation = 'gdpr', daysAgo = 0, callbacks } = plan;
  const body = requestBody({
    ...{ subject_request_id: idOf(name), subject_request_type: type, regulation },
    submitted_time: new Date(Date.now() - daysAgo * DAY_MS).toISOString(),
    subject_identities: [raw('email', `${name.replace(' ', '-')}@example.com`)],
    ...(callbacks && { status_callback_urls: callbacks }),
  });
  const answer = await controller.create(body);
  if (answer.status !== 201) throw new Error(`${String(answer.status)} ${answer.body.toString()}`);
  return body.subject_request_id;
}

/** Reports of a participant that is not registered, so that two records are parked. */
const park = (service: Service, srid: string): Promise<void> =>
  withLog(service, (log) =>
    log.publisher.publish(
      TOPICS.participantReports.name,
      ['completed', 'completed'].map(() =>
        reportRecord({ ws: SANDBOX, srid, participant: 'crm', status: 'completed' }, 'dsrp_unknown', new Date()),
      ),
    ),
  );
