import { inspect } from 'node:util';
import { ScriptedService, type ScriptedAnswer } from '../testing/scripted-service';
import { DsrClient, type ClientOptions } from './dsr-client';
import { DsrApiError, DsrConnectionError, DsrSignatureError } from './errors';
import type { Ledger } from './records';

const ID = '475974fa-6b42-4370-bb56-b5d845686bb5';
const DELIVERY = '0b5a2c0e-97b0-5d6b-9b4e-2f8f5a9c7d10';
const SECRET = 'not-to-be-seen';
const older = {
  subject_request_id: ID,
  subject_request_type: 'access',
  submitted_time: '2026-11-20T08:00:00Z',
  group_id: 'g',
  subject_identities: [{ identity_type: 'email', identity_value: 'ann@example.com', identity_format: 'raw' }],
} as const;
const request = { ...older, regulation: 'gdpr' } as const;
const receipt: ScriptedAnswer = {
  status: 201,
  body: { subject_request_id: ID, received_time: '2026-11-21T09:00:00Z' },
};
const record = (more: object = {}): ScriptedAnswer => ({
  status: 200,
  body: {
    subject_request_id: ID,
    group_id: 'g',
    request_status: 'pending',
    api_version: '2.0',
    results_url: null,
    ...more,
  },
});
const refusal = (status: number, reason: string, headers = {}): ScriptedAnswer => ({
  status,
  headers,
  body: { code: status, message: 'No.', errors: [{ domain: 'Validation', reason, message: 'No.' }] },
});
const exists = refusal(400, 'InvalidOperationException', { 'x-request-id': 'r-1' });

let service: ScriptedService;
let slept: number[];

beforeAll(async () => {
  service = await ScriptedService.start();
});
beforeEach(() => {
  slept = [];
});
afterAll(() => service.close());

/** A client that records its waits instead of waiting. */
const client = (more: Partial<ClientOptions> = {}) => {
  const sleep = (ms: number) => Promise.resolve(void slept.push(ms));
  return new DsrClient({
    baseUrl: service.baseUrl,
    key: 'k',
    secret: SECRET,
    surroundings: { sleep, chance: () => 1 },
    ...more,
  });
};
const failure = async <E>(promise: Promise<unknown>): Promise<E> =>
  promise.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as E,
  );

describe('a call', () => {
  it.each<[string, (of: DsrClient) => Promise<unknown>, string]>([
    ['create', (of) => of.create(request), 'POST /v2/requests'],
    ['status', (of) => of.status(ID), `GET /v2/requests/${ID}`],
    ['list', (of) => of.list('letters of january & more'), 'GET /v2/requests?group_id=letters+of+january+%26+more'],
    ['cancel', (of) => of.cancel(ID), `DELETE /v2/requests/${ID}`],
    ['callbacks', (of) => of.callbacks(ID), `GET /v2/requests/${ID}/callbacks`],
    ['replay', (of) => of.replay(ID, DELIVERY), `POST /v2/requests/${ID}/callbacks/${DELIVERY}/replay`],
    ['attestation', (of) => of.attestation(ID), `GET /v2/requests/${ID}/attestation`],
    [
      'attestationBundle',
      (of) => of.attestationBundle(ID, { statement: 1 }),
      `GET /v2/requests/${ID}/attestation/bundle?statement=1`,
    ],
  ])('of %s is sent to its address with the credentials', async (_name, call, expected) => {
    service.says(receipt);
    await call(client());
    expect(service.calls).toEqual([expected]);
    expect(service.asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from(`k:${SECRET}`).toString('base64')}`);
  });

  it('of version 1 uses its root and its route', async () => {
    service.says(receipt, record());
    const old = new DsrClient({ baseUrl: `${service.baseUrl}/`, key: 'k', secret: SECRET, version: '1.0' });
    await old.create(older);
    await old.status(ID);
    expect(service.calls).toEqual(['POST /v1/opengdpr_requests', `GET /v1/opengdpr_requests/${ID}`]);
  });

  it('of discovery has no credentials', async () => {
    service.says({ status: 200, body: { api_version: '2.0' } });
    await expect(client().discovery()).resolves.toEqual({ api_version: '2.0' });
    expect(service.asked[0]?.headers.authorization).toBeUndefined();
  });

  it('sends mpids with all digits, and refuses a number that has lost some', async () => {
    service.says(receipt);
    const withIds = (mpids: (number | bigint | string)[]) => ({
      ...request,
      extensions: { 'opendsr.example.com': { mpids } },
    });
    await client().create(withIds([-7346243611011968789n, '9223372036854775807', 12]));
    expect(service.asked[0]?.body).toContain('"mpids":[-7346243611011968789,"9223372036854775807",12]');
    await expect(client().create(withIds([2 ** 53]))).rejects.toThrow(TypeError);
  });

  it.each(['', '..', 'a/b', `${ID}/callbacks`])(
    'is refused with %j as an id, which would change the path',
    async (id) => {
      service.says();
      await expect(client().status(id)).rejects.toThrow(TypeError);
      expect(service.calls).toEqual([]);
    },
  );

  it('does not send its credentials to a redirect', async () => {
    service.says({ status: 307, headers: { location: `${service.baseUrl}/elsewhere` } });
    expect((await failure<DsrApiError>(client().status(ID))).status).toBe(307);
    expect(service.calls).toHaveLength(1);
  });
});

describe('a failure', () => {
  it('carries status, faults and request id, and never the credentials', async () => {
    service.says(exists);
    const error = await failure<DsrApiError>(client().create(request));
    expect(error).toBeInstanceOf(DsrApiError);
    expect(error).toMatchObject({
      status: 400,
      requestId: 'r-1',
      entries: [{ domain: 'Validation', reason: 'InvalidOperationException', message: 'No.' }],
    });
    for (const shown of [
      inspect(error, { depth: 9 }),
      inspect(client(), { depth: 9, showHidden: true }),
      JSON.stringify(client()),
    ]) {
      expect(shown).not.toContain(SECRET);
      expect(shown).not.toContain(Buffer.from(`k:${SECRET}`).toString('base64'));
    }
  });

  it('of a proxy, with its own text, has no faults', async () => {
    service.says({ status: 403, body: '<html>' });
    await expect(client().status(ID)).rejects.toMatchObject({
      status: 403,
      entries: [],
      message: 'the service answered 403',
    });
  });

  it('is reported after the last try: its answer, or that there is none', async () => {
    service.says(...Array<ScriptedAnswer>(3).fill({ status: 429, headers: { 'retry-after': '7' } }));
    await expect(client({ retry: { maxAttempts: 3 } }).status(ID)).rejects.toMatchObject({
      status: 429,
      retryAfterMs: 7_000,
    });
    expect(slept).toEqual([7_000, 7_000]);
    service.says('hang up', 'hang up');
    await expect(client({ retry: { maxAttempts: 2 } }).status(ID)).rejects.toBeInstanceOf(DsrConnectionError);
  });

  it('returns the wait of a Retry-After in seconds or as HTTP date, and of no other date', async () => {
    const later = new Date(Date.now() + 3_600_000);
    for (const [header, expected] of [
      [later.toUTCString(), expect.any(Number)],
      [later.toISOString(), undefined],
    ] as const) {
      service.says({ status: 429, headers: { 'retry-after': header } });
      await expect(client({ retry: { maxAttempts: 1 } }).status(ID)).rejects.toMatchObject({
        status: 429,
        retryAfterMs: expected as unknown,
      });
    }
  });

  it('is reported at once if the wait would end after the deadline', async () => {
    service.says({ status: 503, headers: { 'retry-after': '30' } });
    await expect(client({ retry: { deadlineMs: 20_000 } }).status(ID)).rejects.toMatchObject({
      status: 503,
      retryAfterMs: 30_000,
    });
    expect(slept).toEqual([]);
  });

  it('follows when the service does not answer in time', async () => {
    service.says('silence');
    await expect(client({ timeoutMs: 20, retry: { maxAttempts: 1 } }).status(ID)).rejects.toThrow(
      'no answer came in time',
    );
  });

  it('has the reason of the signal, during an answer and during a wait', async () => {
    const reason = new Error('enough');
    service.says('silence');
    const asking = new AbortController();
    const asked = failure(client().status(ID, { signal: asking.signal }));
    asking.abort(reason);
    expect(await asked).toBe(reason);
    service.says({ status: 503, headers: { 'retry-after': '30' } });
    const waiting = new AbortController();
    const sleep = (_ms: number, signal: AbortSignal | undefined) =>
      new Promise<void>((_go, stop) => {
        signal?.addEventListener('abort', () => stop(new Error('asleep')));
        waiting.abort(reason);
      });
    expect(await failure(client({ surroundings: { sleep } }).status(ID, { signal: waiting.signal }))).toBe(reason);
  });
});

describe('a create whose answer was lost', () => {
  it.each<[string, ScriptedAnswer | 'hang up']>([
    ['hang-up', 'hang up'],
    ['502', { status: 502 }],
    ['503', { status: 503, headers: { 'retry-after': '1' } }],
  ])('after a %s is retried, and succeeds because its id exists', async (_what, lost) => {
    service.says(lost, exists, record());
    await expect(client().create(request)).resolves.toMatchObject({
      outcome: 'existed',
      status: { request_status: 'pending' },
    });
    expect(service.calls).toEqual(['POST /v2/requests', 'POST /v2/requests', `GET /v2/requests/${ID}`]);
    expect(service.asked[0]?.body).toBe(service.asked[1]?.body);
  });

  it('is refused if version or group of the existing request differ', async () => {
    for (const other of [{ group_id: null }, { api_version: '1.0' }]) {
      service.says('hang up', exists, record(other));
      await expect(client().create(request)).rejects.toMatchObject({ status: 400 });
    }
  });

  it('is the same as an ended request whose group is not shown any more', async () => {
    for (const request_status of ['completed', 'cancelled']) {
      service.says(exists, record({ group_id: null, request_status }));
      await expect(client().create(request, { mayExist: true })).resolves.toMatchObject({ outcome: 'existed' });
    }
    service.says(exists, record({ group_id: 'other', request_status: 'completed' }));
    await expect(client().create(request, { mayExist: true })).rejects.toMatchObject({ status: 400 });
  });

  it.each(['', undefined])('is the same as an existing request without a group if its group is %j', async (group) => {
    const { group_id: _, ...without } = request;
    service.says(exists, record({ group_id: null }));
    await expect(
      client().create({ ...without, ...(group !== undefined && { group_id: group }) }, { mayExist: true }),
    ).resolves.toMatchObject({ outcome: 'existed' });
  });

  it('is refused if no request exists because its group is full', async () => {
    service.says('hang up', exists, refusal(404, 'NotFoundException'));
    await expect(client().create(request)).rejects.toMatchObject({ status: 400 });
  });

  it('differs from one with a used id, which is an error unless mayExist is set', async () => {
    service.says(exists);
    await expect(client().create(request)).rejects.toMatchObject({ status: 400 });
    service.says({ status: 429 }, exists);
    await expect(client().create(request)).rejects.toMatchObject({ status: 400 });
    service.says(exists, record());
    await expect(client().create(request, { mayExist: true })).resolves.toMatchObject({ outcome: 'existed' });
  });
});

it.each(['create', 'cancel'] as const)(
  'reads the status after a lost answer of %s in the time that is left',
  async (of) => {
    const [lost, busy] = [15, 10].map((wait) => ({ status: 503, headers: { 'retry-after': String(wait) } }));
    service.says(lost as ScriptedAnswer, exists, busy as ScriptedAnswer, record({ request_status: 'cancelled' }));
    let at = 0;
    const sleep = (ms: number) => Promise.resolve(void (at += ms));
    const slow = client({ retry: { deadlineMs: 20_000 }, surroundings: { sleep, now: () => new Date(at) } });
    await expect(of === 'create' ? slow.create(request) : slow.cancel(ID)).rejects.toMatchObject({ status: 503 });
    expect(at).toBe(15_000);
  },
);

it('treats a cancelled status as success only of a cancel whose answer was lost', async () => {
  service.says('hang up', exists, record({ request_status: 'cancelled' }));
  await expect(client().cancel(ID)).resolves.toMatchObject({ outcome: 'was-cancelled' });
  service.says('hang up', exists, record({ request_status: 'completed' }));
  await expect(client().cancel(ID)).rejects.toMatchObject({ status: 400 });
});

it('does not repeat a replay that may have acted, but one that was limited', async () => {
  service.says('hang up');
  await expect(client().replay(ID, DELIVERY)).rejects.toBeInstanceOf(DsrConnectionError);
  service.says({ status: 503, headers: { 'retry-after': '2' } });
  await expect(client().replay(ID, DELIVERY)).rejects.toMatchObject({ status: 503, retryAfterMs: 2_000 });
  service.says({ status: 429, headers: { 'retry-after': '2' } }, { status: 202, body: { delivery_id: DELIVERY } });
  await expect(client().replay(ID, DELIVERY)).resolves.toMatchObject({ delivery_id: DELIVERY });
  expect(slept).toEqual([2_000]);
});

it('reads a callback whose time was not recorded and whose address is gone', async () => {
  const ledger: Ledger = {
    subject_request_id: ID,
    callbacks: [
      {
        delivery_id: DELIVERY,
        status_callback_url: null,
        request_status: 'pending',
        status_time: null,
        state: 'given_up',
        reason: 'key_destroyed',
        attempt_count: 0,
        next_attempt_time: null,
        attempts: [],
      },
    ],
  };
  service.says({ status: 200, body: ledger });
  await expect(client().callbacks(ID)).resolves.toEqual(ledger);
});

describe('results', () => {
  const linked = () => record({ request_status: 'completed', results_url: `${service.baseUrl}/v2/results/token` });

  it('are a stream, from a link that gets no credentials', async () => {
    service.says(linked(), { status: 200, headers: { 'content-length': '3' }, body: 'zip' });
    const results = await client().results(ID);
    if (results.state !== 'ready') throw new Error(results.state);
    expect(results.sizeBytes).toBe(3);
    expect(await new Response(results.stream).text()).toBe('zip');
    expect(service.asked[1]?.headers.authorization).toBeUndefined();
  });

  it('are none without a link, nobody without a profile, and expired after the end of the link', async () => {
    const [notFound, gone] = [refusal(404, 'NotFoundException'), refusal(410, 'GoneException')];
    service.says(record(), linked(), notFound, linked(), gone);
    const states = [await client().results(ID), await client().results(ID), await client().results(ID)].map(
      ({ state }) => state,
    );
    expect(states).toEqual(['none', 'nobody', 'expired']);
  });

  it.each<[string, ScriptedAnswer]>([
    ['without a body', { status: 404 }],
    ['of a proxy', { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>404 Not Found</h1>' }],
    ['of another interface', { status: 404, body: { message: 'Cannot GET', errors: ['Not Found'] } }],
  ])('are not nobody for a 404 %s', async (_, answer) => {
    service.says(linked(), answer);
    const error = await failure<DsrApiError>(client().results(ID));
    expect(error).toBeInstanceOf(DsrApiError);
    expect([error.status, error.entries]).toEqual([404, []]);
  });
});

describe('an attestation', () => {
  it.each([
    ['attestation', 'application/vnd.dsse.envelope.v1+json'],
    ['attestationBundle', 'application/vnd.opendsr-service.attestation-bundle.v1+json'],
  ] as const)('comes from %s byte for byte, as its own type', async (method, type) => {
    const bytes = '{ "envelope" :  "as it was signed" }\n';
    service.says({ status: 200, headers: { 'content-type': type }, body: bytes });
    expect(Buffer.from(await client()[method](ID)).toString()).toBe(bytes);
    expect(service.asked[0]?.headers.accept).toBe(type);
  });

  it('is refused before the request has ended, and with a signature that does not hold', async () => {
    service.says(refusal(404, 'NotFoundException'));
    await expect(client().attestation(ID)).rejects.toMatchObject({ status: 404 });
    service.says({ status: 200, body: '{}' });
    const verifyAnswers = { allowedDomains: ['dsr.example.com'] };
    await expect(client({ verifyAnswers }).attestationBundle(ID)).rejects.toBeInstanceOf(DsrSignatureError);
  });
});

it.each<Partial<ClientOptions>>([
  { baseUrl: 'ftp://a' },
  { baseUrl: 'https://k:s@a.example' },
  { baseUrl: 'https://a.example?x=1' },
  { baseUrl: 'https://a.example/?' },
  { baseUrl: 'https://a.example/#x' },
  { key: 'a:b' },
])('refuses invalid options: %j', (wrong) => {
  expect(() => client(wrong)).toThrow(TypeError);
});
