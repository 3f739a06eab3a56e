import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import type { RequestDocument } from '../admission/request.document';
import { DOMAINS, namedSigners, Service } from '../testing/service';
import { signatureOf } from '../testing/signer';
import { World } from '../testing/world';

const URLS = { PUBLIC_URL_V2: 'https://dsr.service.com', PUBLIC_URL_V1: 'https://gdpr.service.com' };
const V1_ROUTES = [
  '/v1/opengdpr_requests',
  '/v1/opengdpr_requests/475974fa-6b42-4370-bb56-b5d845686bb5',
  '/v1/discovery',
  '/v1/certificates/opengdpr.pem',
  '/v1/results/token',
];

let world: World;
let service: Service;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const path = ({ root, requestsRoute }: ProtocolVersion, rest = ''): string => `/${root}/${requestsRoute}${rest}`;
const body = (more: object = {}) => ({
  subject_request_id: randomUUID(),
  subject_request_type: 'access',
  submitted_time: '2026-11-20T08:00:00Z',
  subject_identities: [
    { identity_type: 'email', identity_value: `${randomUUID()}@example.com`, identity_format: 'raw' },
  ],
  ...more,
});
const record = async (answer: Response) =>
  (await answer.json()) as {
    subject_request_id: string;
    api_version: string;
    request_status: string;
    results_url: string | null;
  };

/** Who proves an answer, by the headers of the version; undefined where it carries none of them. */
const proof = ({ headers }: Response, { domainHeader, signatureHeader }: ProtocolVersion) =>
  headers.has(domainHeader) ? [headers.get(domainHeader), headers.get(signatureHeader)] : undefined;
const expectProof = (answer: Response, by: 'v1' | 'v2') => {
  const proved = [DOMAINS[by], signatureOf(DOMAINS[by])];
  expect([proof(answer, V1), proof(answer, V2)]).toEqual(by === 'v1' ? [proved, undefined] : [undefined, proved]);
};

async function create(version: ProtocolVersion, more: object = {}): Promise<ReturnType<typeof body>> {
  const given = body({ ...(version.hasRegulation && { regulation: 'gdpr' }), ...more });
  const answer = await service.call('POST', path(version), { body: given });
  expect(answer.status).toBe(201);
  expectProof(answer, version === V1 ? 'v1' : 'v2');
  return given;
}

/** Completes a request as its last event would. */
async function complete(srid: string): Promise<void> {
  const { matchedCount } = await world.parts.connection
    .collection<RequestDocument>('requests')
    .updateOne({ ws: 'sandbox', srid }, { $set: { status: 'completed', completedAt: world.clock.now() } });
  expect(matchedCount).toBe(1);
}

describe('both versions', () => {
  beforeAll(async () => {
    service = await Service.start(world, {
      ...URLS,
      CERT_URL_V2: 'https://certs.service.com',
      CERT_URL_V1: 'https://certs.service.com',
    });
  });
  afterAll(() => service.stop());

  it.each([
    ['v2', V2],
    ['v1', V1],
  ] as const)(
    'have discovery under their root, and a certificate of their own also at one address (%s)',
    async (root, version) => {
      const discovery = (await (await service.call('GET', `/${root}/discovery`, { anonymous: true })).json()) as {
        api_version: string;
        processor_certificate: string;
      };
      const { publishedName, certificatePem } = namedSigners()[root];
      expect(discovery).toMatchObject({
        api_version: version.apiVersion,
        processor_certificate: `https://certs.service.com/${publishedName}`,
      });
      for (const file of [publishedName, version.certificateFile])
        expect(await (await service.call('GET', `/${root}/certificates/${file}`)).text()).toBe(certificatePem);
      expect(
        (await service.call('GET', `/${root}/certificates/${(version === V1 ? V2 : V1).certificateFile}`)).status,
      ).toBe(404);
    },
  );

  it.each([
    [V1, DOMAINS.v1, DOMAINS.v2],
    [V2, DOMAINS.v2, DOMAINS.v1],
  ] as const)(
    'accept an own extension only under their own domain, which the refusal of another names ($apiVersion)',
    async (version, own, other) => {
      const post = (key: string) =>
        service.call('POST', path(version), {
          body: body({ regulation: 'gdpr', extensions: { [key]: { mpids: [7] } } }),
        });
      expect((await post(own)).status).toBe(201);
      const refused = await post(other);
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining(`here it is extensions.${own}, spelt so`),
      ]);
    },
  );

  it.each([
    ['1.0', V1],
    ['2.0', V2],
  ] as const)('sign answers in their own name, with their own api_version (%s)', async (apiVersion, version) => {
    const group_id = randomUUID();
    const { subject_request_id: srid } = await create(version, { group_id });
    const [read, list] = [
      await service.call('GET', path(version, `/${srid}`)),
      await service.call('GET', path(version, `?group_id=${group_id}`)),
    ];
    const cancelled = await service.call('DELETE', path(version, `/${srid}`));
    expect([read.status, list.status, cancelled.status]).toEqual([200, 200, 202]);
    for (const answer of [read, list, cancelled]) expectProof(answer, version === V1 ? 'v1' : 'v2');
    expect((await record(read)).api_version).toBe(apiVersion);
    expect(await list.json()).toMatchObject([{ api_version: apiVersion }]);
  });

  it.each([
    ['1.0', V1],
    ['2.0', V2],
  ] as const)('cancel without a body, regardless of the content type (%s)', async (_name, version) => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain']) {
      const { subject_request_id: srid } = await create(version);
      expect((await service.send('DELETE', path(version, `/${srid}`), { 'content-type': type })).status).toBe(202);
    }
    expect((await service.send('POST', path(version), { 'content-type': 'text/plain' }, '')).status).toBe(400);
  });

  it('show a request of the other version with its own api_version, signed in their own name', async () => {
    const group_id = randomUUID();
    const ids = [
      (await create(V1, { group_id })).subject_request_id,
      (await create(V2, { group_id })).subject_request_id,
    ];
    for (const [version, name] of [
      [V1, 'v1'],
      [V2, 'v2'],
    ] as const) {
      for (const [n, apiVersion] of ['1.0', '2.0'].entries()) {
        const answer = await service.call('GET', path(version, `/${ids[n]}`));
        expectProof(answer, name);
        expect(await record(answer)).toMatchObject({ subject_request_id: ids[n], api_version: apiVersion });
      }
      const list = await service.call('GET', path(version, `?group_id=${group_id}`));
      const records = (await list.json()) as { subject_request_id: string; api_version: string }[];
      expect(new Map(records.map((one) => [one.subject_request_id, one.api_version]))).toEqual(
        new Map([
          [ids[0], '1.0'],
          [ids[1], '2.0'],
        ]),
      );
    }
    const cancelled = await service.call('DELETE', path(V2, `/${ids[0]}`));
    expect(cancelled.status).toBe(202);
    expectProof(cancelled, 'v2');
    expect((await record(await service.call('GET', path(V1, `/${ids[0]}`)))).request_status).toBe('cancelled');
  });

  it('refuse an id that the other version has admitted, and the same request under another id', async () => {
    const taken = await create(V1);
    const again = async (more: object) =>
      (await service.call('POST', path(V2), { body: { ...taken, regulation: 'gdpr', ...more } })).status;
    expect([await again({}), await again({ subject_request_id: randomUUID() })]).toEqual([400, 409]);
  });

  it('read only the extension of their own domain', async () => {
    const statuses = async (version: ProtocolVersion) => {
      const given = Object.values(DOMAINS).map((domain, n) =>
        body({ regulation: 'gdpr', subject_identities: [], extensions: { [domain]: { mpids: [n + 1] } } }),
      );
      return Promise.all(given.map(async (one) => (await service.call('POST', path(version), { body: one })).status));
    };
    expect(await statuses(V2)).toEqual([201, 400]);
    expect(await statuses(V1)).toEqual([400, 201]);
  });

  it('differ in the regulation, which version 1 ignores', async () => {
    const status = async (version: ProtocolVersion, regulation: unknown) =>
      (await service.call('POST', path(version), { body: body({ regulation }) })).status;
    for (const bad of ['lgpd', 7, ['gdpr'], { law: 'gdpr' }])
      expect([await status(V1, bad), await status(V2, bad)]).toEqual([201, 400]);
  });

  it('link to results under the root at which the request was created, and both serve them', async () => {
    for (const [made, link] of [
      [V1, `${URLS.PUBLIC_URL_V1}/v1/results/`],
      [V2, `${URLS.PUBLIC_URL_V2}/v2/results/`],
    ] as const) {
      const { subject_request_id: srid } = await create(made);
      await complete(srid);
      const links = await Promise.all(
        [V1, V2].map(async (asked) => (await record(await service.call('GET', path(asked, `/${srid}`)))).results_url),
      );
      expect(links[0]).toMatch(new RegExp(`^${link}[\\w.~-]+$`));
      expect(links[1]).toBe(links[0]);
    }
    for (const root of ['v1', 'v2'])
      expect((await service.call('GET', `/${root}/results/token`, { anonymous: true })).status).toBe(410);
  });
});

describe('version 1', () => {
  afterEach(() => service.stop());

  it('has no routes if it is not served, but its requests are still shown with a valid results link', async () => {
    service = await Service.start(world, URLS);
    const { subject_request_id: srid } = await create(V1);
    await complete(srid);
    await service.stop();
    service = await Service.start(world, { ...URLS, SERVE_V1: 'false', PORT_V1: '0' });
    expect(service.morePorts).toEqual([]);
    for (const route of V1_ROUTES)
      expect([route, (await service.call('GET', route, { anonymous: true })).status]).toEqual([route, 404]);
    expect((await service.call('POST', path(V1), { body: body() })).status).toBe(404);
    const shown = await record(await service.call('GET', path(V2, `/${srid}`)));
    expect(shown.api_version).toBe('1.0');
    expect(shown.results_url).toMatch(/^https:\/\/dsr\.service\.com\/v2\/results\//);
  });

  it('answers only on its own port if it has one, and nothing else answers there', async () => {
    service = await Service.start(world, { PORT_V1: '0' });
    const [port] = service.morePorts;
    const statuses = (routes: readonly string[], on?: number) =>
      Promise.all(routes.map(async (route) => (await service.call('GET', route, { port: on })).status));
    expect(await statuses(V1_ROUTES, port)).toEqual([400, 404, 200, 200, 410]);
    expect(await statuses(V1_ROUTES)).toEqual([404, 404, 404, 404, 404]);
    const others = ['/v2/requests?group_id=none', '/v2/discovery', '/v2/results/token', '/docs', '/openapi/v1.json'];
    expect(await statuses(others)).toEqual([200, 200, 410, 200, 200]);
    expect(await statuses(others, port)).toEqual([404, 404, 404, 404, 404]);
  });
});
