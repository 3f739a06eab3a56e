import 'reflect-metadata';
import { deliveryEvents, TOPICS, VERSIONS, type ProtocolVersion } from '@opendsr-service/contracts';
import * as gateway from '@opendsr-service/gateway/testing';
import * as ingestion from '@opendsr-service/ingestion/testing';
import { until } from '../receiver/until';
import { representative } from '../testing/form';
import { ApiContract, received } from './testing/contract';
import { callsOf, type Call, type Described } from './testing/example-calls';

/** The domains of the running service are not those that the kept documents have for an example. */
const SIGNERS = {
  v2: new gateway.NamedSigner('dsr.acme.example'),
  v1: new gateway.NamedSigner('gdpr.acme.example', 'opengdpr'),
};

/** The document that a service serves now. */
const served = async (base: string, name: string): Promise<Described> =>
  (await (await fetch(`${base}/openapi/${name}.json`)).json()) as Described;

/** Sends a call of the document; what it answers, and how that is unlike the document. */
async function tried(document: Described, { operation, example, method, path }: Call, answering: Promise<Response>) {
  const answer = await received(answering);
  return {
    operation,
    example,
    status: answer.status,
    faults: new ApiContract(document).faultsOfAnswer(method, path, answer),
  };
}
const asDocumented = ({ operation, example, success }: Call) => ({ operation, example, status: success, faults: [] });

describe('the gateway', () => {
  let world: gateway.World;
  let service: gateway.Service;
  beforeAll(async () => {
    world = await gateway.World.open();
    service = await gateway.Service.start(
      world,
      { PUBLIC_URL_V2: 'https://dsr.acme.example', PUBLIC_URL_V1: 'https://gdpr.acme.example' },
      SIGNERS,
    );
  });
  afterAll(async () => {
    await service.stop();
    await world.close();
  });
  const documentOf = ({ root }: ProtocolVersion) => served(`http://127.0.0.1:${service.port}`, root);
  const send = ({ method, path, body }: Call) =>
    service.call(method, path, { ...(body !== undefined && { body: body as object }) });

  /** Marks the first callback of the example request as delivered; returns its id. */
  async function delivered(srid: string, list: Call): Promise<string> {
    const [destination = ''] = (await world.store.find('sandbox', srid))?.openDestinations ?? [];
    const callback = gateway.callbackEvents({ ws: 'sandbox', srid, destination });
    await world.publisher.publish(
      TOPICS.deliveryEvents.name,
      [callback.queued(0, 15), callback.attempted(1, 16, 'delivered', { httpStatus: 202, durationMs: 5 })].map(
        (event) => deliveryEvents.encode(event),
      ),
    );
    await until('the ledger', async () => (await (await send(list)).text()).includes('"delivered"'));
    return callback.delivery;
  }

  it.each(representative(VERSIONS))(
    'serves its document of version $apiVersion with its own domain and address, of which every example works as it stands',
    async (version) => {
      const document = await documentOf(version);
      const [domain, text] = [SIGNERS[version.root as 'v1' | 'v2'].domain, JSON.stringify(document)];
      expect([text.includes(domain), text.includes('service.com'), document.servers.map(({ url }) => url)]).toEqual([
        true,
        false,
        ['/', `https://${domain}`],
      ]);
      const { calls, unknown } = callsOf(document);
      expect(unknown).toEqual(['replayCallback: delivery', 'downloadResults: token']);
      const attested = calls.filter(({ operation }) => operation.startsWith('readAttestation'));
      const others = calls.filter((call) => !attested.includes(call));
      // The cancellation last: it ends what the others are about.
      const inOrder = [
        ...others.filter(({ method }) => method !== 'DELETE'),
        ...others.filter(({ method }) => method === 'DELETE'),
      ];
      const answers = [];
      for (const call of inOrder) answers.push(await tried(document, call, send(call)));
      expect(answers).toEqual(inOrder.map(asDocumented));
      expect(calls.map(({ operation, example }) => `${operation} ${example}`)).toEqual([
        'createRequest byIdentity',
        'createRequest byExtension',
        'listGroup ',
        'readRequest ',
        'cancelRequest ',
        'listCallbacks ',
        'readAttestation ',
        'readAttestationBundle ',
        'discover ',
        'readCertificate ',
      ]);
      const list = calls.find(({ operation }) => operation === 'listCallbacks') as Call;
      const srid = list.path.split('/').at(-2) ?? '';
      const [replay] = callsOf(document, { delivery: await delivered(srid, list) }).calls.filter(
        ({ operation }) => operation === 'replayCallback',
      ) as [Call];
      expect(await tried(document, replay, send(replay))).toEqual(asDocumented(replay));
      await gateway.publishCancellation(world, { ws: 'sandbox', srid });
      await until('a checkpoint', async () => (await send(attested.at(-1) as Call)).status === 200);
      for (const call of attested) expect(await tried(document, call, send(call))).toEqual(asDocumented(call));
    },
  );
});

describe('ingestion', () => {
  let world: ingestion.World;
  let service: ingestion.Service;
  beforeAll(async () => {
    world = await ingestion.World.open();
    service = await ingestion.Service.start(world);
  });
  afterAll(async () => {
    await service.stop();
    await world.close();
  });

  it('serves a document of which every example works as it stands', async () => {
    const document = await served(service.url, 'ingestion');
    expect(callsOf(document).unknown).toEqual(['modify: mpid']);
    const { mpid } = await service.identity('/v1/identify', {
      user_identities: { customer_id: 'ann', email: 'ann@example.com' },
    });
    const { calls } = callsOf(document, { mpid });
    const answers = [];
    for (const call of calls) answers.push(await tried(document, call, service.post(call.path, call.body)));
    expect(answers).toEqual(calls.map(asDocumented));
    expect(calls.map(({ operation, example }) => `${operation} ${example}`)).toEqual([
      ...['identify', 'login', 'logout', 'search'].flatMap((operation) => [
        `${operation} interfaceDialect`,
        `${operation} sdkDialect`,
      ]),
      'modify replace',
      'sendEvents ofIdentities',
      'sendEvents ofProfile',
      'sendBulkEvents two',
    ]);
  });
});
