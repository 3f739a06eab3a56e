import { randomUUID } from 'node:crypto';
import { DsrClient, type CreateRequest, type Discovery, type StatusRecord } from '@opendsr-service/client';
import { accepted } from '../receiver/receiver';
import { until } from '../receiver/until';
import { readArchive } from './archive';
import { somebody, ingestPerson, type Rule, type World } from './world';

/**
 * The published client against the real service: its types and addresses are those of the service, and every answer
 * passes its verifier.
 */
export function clientRules(rule: Rule): void {
  rule(
    'a controller uses the published client to create, read, fetch, replay and cancel, and verifies each answer',
    async (world) => {
      const { receiver, service } = world;
      const [dsr, person] = [clientOf(world), somebody(world)];
      const mpid = await ingestPerson(world, person);
      const path = `/${randomUUID()}`;
      const group_id = `client ${randomUUID()}`;
      receiver.answer(path, () => accepted);
      const request = (): CreateRequest => ({
        regulation: 'gdpr',
        subject_request_id: randomUUID(),
        subject_request_type: 'access',
        submitted_time: new Date().toISOString(),
        group_id,
        extensions: { [service.trust.domains[0] ?? '']: { mpids: [BigInt(mpid)] } },
        status_callback_urls: [receiver.url(path)],
      });
      const [first, second] = [request(), { ...request(), subject_request_type: 'portability' as const }];
      const id = first.subject_request_id;

      expect(await dsr.create(first)).toMatchObject({ outcome: 'created', receipt: { subject_request_id: id } });
      expect(await dsr.create(first, { mayExist: true })).toMatchObject({
        outcome: 'existed',
        status: { subject_request_id: id },
      });
      expect(await dsr.create(second)).toMatchObject({ outcome: 'created' });
      expect(await dsr.cancel(second.subject_request_id)).toMatchObject({
        outcome: 'cancelled',
        receipt: { expected_completion_time: null },
      });
      expect((await dsr.list(group_id)).map(({ subject_request_id }) => subject_request_id).sort()).toEqual(
        [id, second.subject_request_id].sort(),
      );
      const discovery: Discovery = await dsr.discovery();
      expect(discovery.supported_subject_request_types).toContain('access');

      const record: StatusRecord = await until('the request to be completed', async () => {
        const status = await dsr.status(id);
        return status.request_status === 'completed' && status;
      });
      expect(record).toMatchObject({ group_id, api_version: '2.0' });
      const results = await dsr.results(id);
      if (results.state !== 'ready') throw new Error(`the results are ${results.state}`);
      const archive = await readArchive(Buffer.from(await new Response(results.stream).arrayBuffer()));
      expect(archive.get('profile.jsonl')?.toString()).toContain(mpid);

      const [delivered] = await until('the callbacks to be delivered', async () => {
        const { callbacks } = await dsr.callbacks(id);
        return callbacks.length === 3 && callbacks.every(({ state }) => state === 'delivered') && callbacks;
      });
      if (!delivered) throw new Error('there is no callback');
      const sentOf = () =>
        receiver.received(path).filter(({ headers }) => headers['x-delivery-id'] === delivered.delivery_id);
      const before = sentOf().length;
      expect(await dsr.replay(id, delivered.delivery_id)).toMatchObject({
        delivery_id: delivered.delivery_id,
        request_status: 'pending',
      });
      await until('the callback to come again', () => sentOf().length > before);
    },
  );
}

function clientOf({ service }: World): DsrClient {
  const { baseUrls, key, secret, trust } = service;
  const verifyAnswers = {
    allowedDomains: Object.fromEntries(trust.domains.map((domain) => [domain, trust.baseUrl])),
    trust: trust.authorityPem,
  };
  return new DsrClient({ baseUrl: baseUrls[0] ?? '', key, secret, verifyAnswers });
}
