import { createHmac, randomUUID } from 'node:crypto';
import { linesOf } from './archive';
import { concurrently } from './concurrently';
import { json, requestBody, type Answer } from './controller';
import { awaitResult } from './follow';
import { FULL } from './full';
import { somebody, type Rule, type World } from './world';

const CALLS = FULL ? 1_000 : 200;
const AT_ONCE = 64;
const MINUTE_MS = 60_000;

interface Identified {
  readonly mpid: string;
  readonly matched_identities: Readonly<Record<string, string>>;
  readonly is_logged_in: boolean;
}

const common = () => ({ timestamp_unixtime_ms: Date.now(), environment: 'production' });

async function identified(answer: Promise<Answer>): Promise<Identified> {
  const { status, body } = await answer;
  expect(status).toBe(200);
  return JSON.parse(body.toString()) as Identified;
}

/** Who is meant, and what he did (protocol, "Identity and events endpoints"). */
export function ingestRules(rule: Rule): void {
  identityRules(rule);
  eventRules(rule);
  credentialRules(rule);
}

function identityRules(rule: Rule): void {
  rule(
    `${String(CALLS)} identifies of one new customer, many at a time, give one mpid, in both dialects`,
    async (world) => {
      const { customerId, email } = somebody(world);
      const dialects = [
        { user_identities: { customer_id: customerId, email } },
        { known_identities: { customerid: customerId, email }, request_id: randomUUID() },
      ];
      const mpids = await concurrently(Array.from({ length: CALLS }), AT_ONCE, async (_nothing, n) => {
        const body = { ...dialects[n % dialects.length], ...common() };
        return (await identified(world.controller.ingest(n % 3 === 0 ? '/v1/login' : '/v1/identify', body))).mpid;
      });
      expect(new Set(mpids).size).toBe(1);
      expect(BigInt.asIntN(64, BigInt(mpids[0] ?? '')).toString()).toBe(mpids[0]);
    },
  );

  rule(
    'search finds known people and creates none; modify changes an identity; logout leaves the device anonymous',
    async (world) => {
      const { controller } = world;
      const { customerId, email } = somebody(world);
      const device = randomUUID();
      const search = (identities: object) =>
        controller.ingest('/v1/search', { known_identities: identities, ...common() });
      expect((await search({ email })).status).toBe(404);
      const known = await identified(
        controller.ingest('/v1/login', {
          known_identities: { customerid: customerId, email, ios_idfa: device },
          ...common(),
        }),
      );
      expect(known.is_logged_in).toBe(true);
      expect((await identified(search({ email }))).mpid).toBe(known.mpid);

      const changed = `new-${email}`;
      const identity_changes = [{ identity_type: 'email', old_value: email, new_value: changed }];
      const modified = await controller.ingest(`/v1/${known.mpid}/modify`, {
        environment: 'production',
        identity_changes,
      });
      expect([modified.status, json<object>(modified)]).toEqual([
        200,
        { change_results: [{ identity_type: 'email', modified_mpid: known.mpid }] },
      ]);
      expect((await search({ email })).status).toBe(404);
      expect((await identified(search({ email: changed }))).mpid).toBe(known.mpid);

      const anonymous = await identified(
        controller.ingest('/v1/logout', { known_identities: { ios_idfa: device }, ...common() }),
      );
      expect([anonymous.is_logged_in, anonymous.mpid === known.mpid]).toEqual([false, false]);
    },
  );
}

/** Digits that a JavaScript number does not keep, written as they are. */
const EXACT =
  '{"event_type":"custom_event","data":{"event_name":"exact","custom_attributes":{"big":9007199254740993,"small":0.12345678901234567890}}}';

function eventRules(rule: Rule): void {
  rule(
    'events, also valid ones of a bulk call, reach an archive unchanged, once, under an mpid beyond 2^53',
    async (world) => {
      const { controller, service } = world;
      const person = somebody(world);
      const user_identities = { customerid: person.customerId };
      const sourced = {
        user_identities,
        source_request_id: randomUUID(),
        events: [{ event_type: 'screen_view', data: { screen_name: 'home' } }],
        ...common(),
      };
      const { mpid } = await identified(controller.ingest('/v1/identify', { user_identities, ...common() }));
      const exact = `{"user_identities":${JSON.stringify(user_identities)},"events":[${EXACT}]}`;
      const commerce = {
        event_type: 'commerce_event',
        data: { product_action: { action: 'purchase', total_amount: 12.5, products: [{ name: 'tea' }] } },
      };
      const [single, again, repeated] = [
        await controller.ingestText('/v2/events', exact),
        await controller.ingest('/v2/events', sourced),
        await controller.ingest('/v2/events', sourced),
      ];
      expect([single, again, repeated].map(({ status, body }) => [status, body.toString()])).toEqual([
        [202, ''],
        [202, ''],
        [202, ''],
      ]);
      const bulk = await controller.ingest('/v2/bulkevents', [
        { user_identities, events: [commerce] },
        { user_identities, events: 'no list' },
        { user_identities, events: [{ event_type: 'of our own', data: {} }] },
      ]);
      expect([bulk.status, json<{ errors: object[] }>(bulk).errors.length > 0]).toEqual([400, true]);

      const [domain = ''] = service.trust.domains;
      const lines = await linesWhen(world, 4, `{"${domain}":{"mpids":[${mpid}]}}`);
      expect(lines.filter((line) => line.includes(`"mpid":${mpid}`))).toHaveLength(lines.length);
      expect(lines.filter((line) => line.includes(EXACT))).toHaveLength(1);
      const types = lines.flatMap((line) =>
        (JSON.parse(line) as { events: { event_type: string }[] }).events.map(({ event_type }) => event_type),
      );
      expect(types.sort()).toEqual(['commerce_event', 'custom_event', 'of our own', 'screen_view']);
    },
  );
}

/**
 * The lines of events in the archive of an access by extension, asked for until there are as many: batches reach
 * profiles a moment after their 202.
 */
async function linesWhen({ controller }: World, count: number, extensions: string): Promise<string[]> {
  for (let tries = 0; tries < 5; tries++) {
    const body = requestBody({});
    expect(
      (
        await controller.call(
          'POST',
          '/v2/requests',
          `${JSON.stringify(body).slice(0, -1)},"extensions":${extensions}}`,
        )
      ).status,
    ).toBe(201);
    const { archive } = await awaitResult(controller, body.subject_request_id);
    const lines = (archive?.get('events-001.jsonl')?.toString() ?? '').split('\n').filter((line) => line !== '');
    expect(linesOf(archive?.get('profile.jsonl'))).toHaveLength(1);
    if (lines.length >= count) return lines;
  }
  throw new Error('what was taken in does not reach archives');
}

function credentialRules(rule: Rule): void {
  rule(
    'identify and events take Basic or a signature over method, date, path and body; nothing is 401, anything wrong 403',
    async (world) => {
      const { controller, service } = world;
      const path = '/v1/identify';
      const body = JSON.stringify({ user_identities: { customer_id: somebody(world).customerId }, ...common() });
      const signed = (date: string, secret: string, over = body) => ({
        'x-mp-key': service.key,
        date,
        'x-mp-signature': createHmac('sha256', secret).update(`POST\n${date}\n${path}${over}`).digest('hex'),
      });
      const now = new Date().toUTCString();
      const old = new Date(Date.now() - 60 * MINUTE_MS).toUTCString();
      const calls: [Readonly<Record<string, string>>, number][] = [
        [{}, 401],
        [signed(now, service.secret), 200],
        [signed(now, 'another secret'), 403],
        [signed(now, service.secret, `${body} `), 403],
        [signed(old, service.secret), 403],
        [{ ...signed(now, service.secret), 'x-mp-key': 'nobody' }, 403],
        [{ 'x-mp-key': service.key }, 403],
        [{ authorization: 'Basic bm90OnJpZ2h0' }, 403],
      ];
      const statuses = await Promise.all(
        calls.map(async ([headers]) => (await controller.ingestText(path, body, headers)).status),
      );
      expect(statuses).toEqual(calls.map(([, status]) => status));
    },
  );
}
