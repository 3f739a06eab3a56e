import { randomUUID } from 'node:crypto';
import { V1, V2 } from '@opendsr-service/contracts';
import { Controller, json, requestBody, send, type Answer, type Receipt, type StatusRecord } from './controller';
import { awaitResult } from './follow';
import { identitiesOf, somebody, ingestPerson, type Rule, type World } from './world';

/** The parts of an answer that could distinguish two cases. */
function visibleAnswer({ status, headers, body }: Answer) {
  const compared = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  return { status, headers: compared, body: body.toString() };
}

/** The controllers of two workspaces in one version, each against the other. */
async function pairsOf({ service }: World) {
  const credentials = await service.other();
  return [V2, V1].flatMap((version) => {
    const [one, other] = [new Controller(service, version), new Controller({ ...service, ...credentials }, version)];
    return [
      [one, other],
      [other, one],
    ] as const;
  });
}

/**
 * A workspace can never see, list, cancel or collide with another's request (protocol, "Authentication"): the answer to
 * a foreign id reveals nothing.
 */
export function isolationRules(rule: Rule): void {
  rule('data of another workspace is answered byte for byte like data that does not exist', async (world) => {
    for (const [owner, stranger] of await pairsOf(world)) {
      const group_id = randomUUID();
      const body = requestBody(
        { subject_request_type: 'portability', subject_identities: identitiesOf(somebody(world)), group_id },
        owner.version,
      );
      const id = body.subject_request_id;
      expect((await owner.create(body)).status).toBe(201);
      const calls: [string, (name: string) => Promise<Answer>, string][] = [
        ['GET', (name) => stranger.read(name), id],
        ['DELETE', (name) => stranger.cancel(name), id],
        ['list', (name) => stranger.list(name), group_id],
      ];
      for (const [what, call, theirs] of calls) {
        const [foreign, unknown] = [await call(theirs), await call(randomUUID())];
        expect({ what, ...visibleAnswer(foreign) }).toEqual({ what, ...visibleAnswer(unknown) });
      }
      expect((await owner.status(id)).request_status).toBe('pending');
      expect(json<StatusRecord[]>(await owner.list(group_id))).toHaveLength(1);
    }
  });

  rule(
    'an id, a person and a group of another workspace are free, and requests do not affect each other',
    async (world) => {
      for (const [owner, stranger] of await pairsOf(world)) {
        const body = requestBody(
          {
            subject_request_type: 'portability',
            subject_identities: identitiesOf(somebody(world)),
            group_id: randomUUID(),
          },
          owner.version,
        );
        const id = body.subject_request_id;
        const receipts = [await owner.create(body), await stranger.create(body)];
        expect(receipts.map(({ status }) => status)).toEqual([201, 201]);
        expect(new Set(receipts.map((receipt) => json<Receipt>(receipt).controller_id)).size).toBe(2);
        expect((await stranger.cancel(id)).status).toBe(202);
        expect([(await owner.status(id)).request_status, (await stranger.status(id)).request_status]).toEqual([
          'pending',
          'cancelled',
        ]);
        expect((await owner.create({ ...body, subject_request_id: randomUUID() })).status).toBe(409);
      }
    },
  );

  rule('a results link answers every holder, and an altered link is answered like an unknown one', async (world) => {
    const { service, controller } = world;
    const person = somebody(world);
    await ingestPerson(world, person);
    const body = requestBody({ subject_identities: identitiesOf(person) });
    expect((await controller.create(body)).status).toBe(201);
    const { record, answer } = await awaitResult(controller, body.subject_request_id);
    const link = record.results_url ?? '';
    const other = await service.other();
    const ofOther = {
      authorization: `Basic ${Buffer.from(`${other.key}:${other.secret}`).toString('base64')}`,
    };
    const same = await send(link, { headers: ofOther });
    expect([same.status, answer?.body.equals(same.body)]).toEqual([200, true]);
    const made = Buffer.from(link.slice(link.lastIndexOf('/') + 1), 'base64url');
    const altered = Buffer.from(made)
      .fill((made.at(-1) ?? 0) ^ 1, made.length - 1)
      .toString('base64url');
    const [foreign, unknown] = await Promise.all(
      [altered, 'nobody-made-this'].map((token) =>
        send(`${service.trust.baseUrl}/v2/results/${token}`, { headers: ofOther }),
      ),
    );
    expect(foreign && visibleAnswer(foreign)).toEqual(unknown && visibleAnswer(unknown));
    expect(foreign?.status).toBe(404);
  });

  rule('a profile of another workspace does not exist, and its identities match nothing there', async (world) => {
    const person = somebody(world);
    const mpid = await ingestPerson(world, person);
    const stranger = new Controller({ ...world.service, ...(await world.service.other()) });
    const modify = (of: string) =>
      stranger.ingest(`/v1/${of}/modify`, {
        environment: 'production',
        identity_changes: [{ identity_type: 'email', old_value: person.email, new_value: `new.${person.email}` }],
      });
    const [foreign, unknown] = [await modify(mpid), await modify(String(BigInt(mpid) - 1n))];
    expect(visibleAnswer(foreign)).toEqual(visibleAnswer(unknown));
    const identified = await stranger.ingest('/v1/identify', {
      user_identities: { customer_id: person.customerId },
      environment: 'production',
    });
    expect(json<{ mpid: string }>(identified).mpid).not.toBe(mpid);
  });
}
