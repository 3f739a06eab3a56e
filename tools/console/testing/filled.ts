import { randomUUID } from 'node:crypto';
import { TOPICS } from '@opendsr-service/contracts';
import { Controller, raw, requestBody } from '../../e2e/controller';
import { awaitStatus } from '../../e2e/follow';
import { dsr, register, SANDBOX, withLog, type Registered } from '../../e2e/operator';
import { report } from '../../e2e/reports';
import type { Service } from '../../e2e/service';
import { Receiver } from '../../receiver/receiver';

/** What a page would run if it took text for markup. */
export const MARKUP = '<img/src="x"/onerror="window.planted=true">';
/** The id of a workspace whose other names are markup. */
export const HOSTILE = 'hostile';
const CRM = { name: 'crm', types: 'access' };

/** What is in the stores, so that every page has something to show. */
export interface Filled {
  readonly controller: Controller;
  readonly receiver: Receiver;
  /** Waits for as long as the tests take. */
  readonly waiting: string;
  /** Is completed, with its callbacks delivered. */
  readonly completed: string;
  /** Its receiver refuses its callbacks, and a participant failed. */
  readonly failing: string;
  /** Of a request, below `/console`. */
  readonly pathOf: (id: string) => string;
}

/** Writes markup wherever a controller, or somebody on the event log, can write text. */
export async function fill(service: Service): Promise<Filled> {
  const controller = new Controller(service);
  const receiver = await Receiver.start(service.receiverTls);
  receiver.answer('/refused', () => ({ status: 500 }));
  const [waiting, completed, failing] = await Promise.all([
    create(controller, { subject_request_type: 'portability', group_id: MARKUP }),
    create(controller, { subject_request_type: 'erasure', status_callback_urls: [receiver.url(`/${MARKUP}`)] }),
    register(service, CRM).then((crm) => takePart(service, crm, receiver.url('/refused'))),
    spoil(service),
    name(service),
  ]);
  await awaitStatus(controller, completed, 'completed');
  await receiver.wait('/refused', 1);
  return { controller, receiver, waiting, completed, failing, pathOf: (id) => `/requests/${SANDBOX}/${id}` };
}

/** Creates a request about somebody whose identities are markup. Returns its id. */
export async function create(controller: Controller, more: object): Promise<string> {
  const body = requestBody({
    subject_identities: [raw('controller_customer_id', `${MARKUP}${randomUUID()}`), raw('email', 'ann@example.com')],
    ...more,
  });
  const answer = await controller.create(body);
  if (answer.status !== 201) throw new Error(`${String(answer.status)} ${answer.body.toString()}`);
  return body.subject_request_id;
}

/** A request in progress, whose participant reports that it failed, with markup as its line for the controller. */
export async function takePart(service: Service, participant: Registered, callbackUrl: string): Promise<string> {
  const id = await create(new Controller(service), { status_callback_urls: [callbackUrl] });
  await report(service, id, participant, { status: 'failed', statusMessage: MARKUP });
  return id;
}

/** A record that a service parks, with markup in its key, its headers and its value. */
export const spoil = (service: Service): Promise<void> =>
  withLog(service, (log) =>
    log.publisher.publish(TOPICS.participantReports.name, [
      { key: MARKUP, value: Buffer.from(MARKUP), headers: { ce_type: MARKUP, ce_workspaceid: MARKUP } },
    ]),
  );

async function name(service: Service): Promise<void> {
  const names = ['--name', MARKUP, '--controller-id', MARKUP];
  const { code, output } = await dsr(service, 'workspaces', 'create', '--workspace', HOSTILE, ...names);
  if (code !== 0) throw new Error(output);
}
