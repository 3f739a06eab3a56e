import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { namedSigners, Service } from '../../testing/service';
import { World } from '../../testing/world';

const FOR_GOOD = 'public, max-age=31536000, immutable';
const URLS = { PUBLIC_URL_V2: 'https://dsr.service.com', PUBLIC_URL_V1: 'https://gdpr.service.com' };

let world: World;
let services: Service[] = [];
beforeEach(async () => {
  world = await World.open();
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
  await world.close();
});

async function start(signers = namedSigners()): Promise<Service> {
  const service = await Service.start(world, URLS, signers);
  services = [...services, service];
  return service;
}

const read = async (service: Service, path: string) => {
  const answer = await service.call('GET', path, { anonymous: true });
  return { status: answer.status, kept: answer.headers.get('cache-control'), text: await answer.text() };
};
const named = async (service: Service, root = 'v2') =>
  (JSON.parse((await read(service, `/${root}/discovery`)).text) as { processor_certificate: string })
    .processor_certificate;

it('discovery names an immutable certificate URL; answers that change may be cached for five minutes', async () => {
  const { v2 } = namedSigners();
  const service = await start();
  expect(await named(service)).toBe(`https://dsr.service.com/v2/certificates/${v2.publishedName}`);
  expect(await read(service, `/v2/certificates/${v2.publishedName}`)).toEqual({
    status: 200,
    kept: FOR_GOOD,
    text: v2.certificatePem,
  });
  expect(await read(service, '/v2/certificates/opendsr.pem')).toEqual({
    status: 200,
    kept: 'public, max-age=300',
    text: v2.certificatePem,
  });
  expect((await read(service, '/v2/discovery')).kept).toBe('public, max-age=300');
});

it('discovery names a new certificate at once; all replicas serve the old ones, also after a restart', async () => {
  const [signers, others] = [namedSigners(), namedSigners()];
  const [service, replica] = [await start(signers), await start(others)];
  const [old, next] = [namedSigners().v2, namedSigners().v2.next()];
  await service.renew(signers.v2);
  expect([await named(service), await named(replica)]).toEqual(
    [next, old].map(({ publishedName }) => `https://dsr.service.com/v2/certificates/${publishedName}`),
  );
  expect((await read(service, '/v2/certificates/opendsr.pem')).text).toBe(next.certificatePem);

  const restarted = await start({ ...namedSigners(), v2: next.next() });
  for (const one of [service, replica, restarted]) {
    for (const { publishedName, certificatePem } of [old, next, next.next()]) {
      expect(await read(one, `/v2/certificates/${publishedName}`)).toEqual({
        status: 200,
        kept: FOR_GOOD,
        text: certificatePem,
      });
    }
  }
});

it('answers 404 for unknown certificate names, and for those of the other version', async () => {
  const { v1, v2 } = namedSigners();
  const service = await start();
  const strange = `opendsr-${randomBytes(16).toString('hex')}.pem`;
  for (const path of [
    `v2/certificates/${strange}`,
    'v2/certificates/opendsr-.pem',
    `v2/certificates/${v1.publishedName}`,
    `v1/certificates/${v2.publishedName}`,
    'v2/certificates/opendsr.key',
  ]) {
    expect((await read(service, `/${path}`)).status).toBe(404);
  }
  expect((await read(service, `/v1/certificates/${v1.publishedName}`)).text).toBe(v1.certificatePem);
});
