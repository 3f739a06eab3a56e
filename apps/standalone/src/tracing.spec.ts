import { randomUUID } from 'node:crypto';
import { TOPICS } from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import { recordSpans, type RecordedSpans } from '@opendsr-service/storage/testing';
import { World } from './testing/world';

const PLANTED = 'planted.person@example.com';
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const COMMANDS = TOPICS.commands.name;
const EVENTS = TOPICS.requestEvents.name;

let spans: RecordedSpans;
let world: World;
let call: Awaited<ReturnType<World['gateway']>>;
beforeAll(async () => {
  spans = recordSpans();
  world = new World();
  call = await world.gateway();
  await world.fulfilment();
});
afterAll(async () => {
  await world.close();
  await spans.stop();
});

const body = (srid: string) => ({
  regulation: 'gdpr',
  subject_request_id: srid,
  subject_request_type: 'access',
  submitted_time: new Date().toISOString(),
  subject_identities: [{ identity_type: 'email', identity_value: PLANTED, identity_format: 'raw' }],
});

/** The span of the create that links to the caller, and all of its trace. */
const linkedCreate = () =>
  spans
    .ended()
    .find(
      ({ name, links }) =>
        name === 'POST /v2/requests' && links.some(({ context }) => context.spanId === CALLER.spanId),
    );
const inItsTrace = () =>
  spans.ended().filter((span) => span.spanContext().traceId === linkedCreate()?.spanContext().traceId);
type Span = ReturnType<typeof inItsTrace>[number];

/** The names of a span and of all that it came from, up to the create; what has not ended yet is nothing. */
function wayOf(span: Span | undefined): string[] {
  if (!span) return ['nothing'];
  const parent = inItsTrace().find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId);
  return [span.name, ...(span === linkedCreate() ? [] : wayOf(parent))];
}

it('shows a create in one trace, linked to that of its caller: request, command, request service, event and its readers', async () => {
  const headers = {
    traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
    tracestate: `vendor=${PLANTED}`,
    baggage: `who=${PLANTED}`,
    'x-request-id': 'planted',
  };
  expect((await call('POST', '/v2/requests', body(randomUUID()), headers)).status).toBe(201);
  const notes = () => inItsTrace().filter(({ name }) => name === `process ${EVENTS}`);
  // Gateway, results and ingestion take note of the event, maybe before the request service is done with the command.
  await until(() => notes().length >= 3 && wayOf(notes()[0]).at(-1) === 'POST /v2/requests');

  expect(wayOf(notes()[0])).toEqual([
    `process ${EVENTS}`,
    `send ${EVENTS}`,
    `process ${COMMANDS}`,
    `send ${COMMANDS}`,
    'POST /v2/requests',
  ]);
  expect(linkedCreate()?.parentSpanContext).toBeUndefined();
  expect(spans.ended().filter((span) => span.spanContext().traceId === CALLER.traceId)).toEqual([]);
  expect(linkedCreate()?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/v2/requests',
    'http.response.status_code': 201,
  });
});

it('gives a batch a trace of its own, with links to those who wrote its records, and its records links to it', async () => {
  await call('POST', '/v2/requests', body(randomUUID()));
  const ended = (id: string | undefined) => spans.ended().find((span) => span.spanContext().spanId === id);
  const record = () => spans.ended().findLast(({ name }) => name === `process ${COMMANDS}`);
  const batch = () => ended(record()?.links[0]?.context.spanId);
  await until(() => batch() !== undefined);
  expect(batch()).toMatchObject({ name: `process batch ${COMMANDS}`, parentSpanContext: undefined });
  expect(batch()?.links.map(({ context }) => context.spanId)).toContain(record()?.parentSpanContext?.spanId);
});

it('holds nothing of a person, of a request, or of what a caller wrote, and of paths their template', async () => {
  const srid = randomUUID();
  const headers = { tracestate: `vendor=${PLANTED}`, baggage: `who=${PLANTED}`, 'user-agent': 'planted' };
  await call('POST', '/v2/requests', body(srid), headers);
  await call('GET', `/v2/requests/${srid}?planted=1`, undefined, headers);
  await call('GET', `/v2/requests/planted-${srid}`, undefined, headers);
  await call('GET', '/planted', undefined, headers);
  const wanted = ['GET /v2/requests/:srid', 'GET _other', `process batch ${EVENTS}`];
  await until(() => wanted.every((name) => spans.ended().some((span) => span.name === name)));
  const exported = JSON.stringify(
    spans
      .ended()
      .map((span) => [
        span.name,
        span.attributes,
        span.events,
        span.links,
        span.status,
        span.spanContext(),
        span.spanContext().traceState?.serialize(),
      ]),
  );
  expect(exported).not.toMatch(/planted/);
  expect(exported).not.toContain(srid);
});
