import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { createVerifier } from '@opendsr-service/client';
import { issueCertificate, type KeyAndCertificate } from '@opendsr-service/signing';
import { until } from '../receiver/until';
import { watchCallbacks, type CallbackWatch } from './callback-watch';
import { json, requestBody, send } from './controller';
import type { Service } from './service';
import { identitiesOf, somebody, type Rule, type World } from './world';

const GAUGE = 'opendsr_signing_certificate';
const SIGNING = ['standalone', 'gateway', 'callback-dispatcher'];

const addressNamed = async (base: string, root = 'v2') =>
  json<{ processor_certificate: string }>(await send(`${base}/${root}/discovery`)).processor_certificate;
const textAt = async (url: string) => (await send(url)).body.toString();

/** A new certificate of the same domain from the same authority. */
async function issue({ certificatesDir, trust }: Service): Promise<KeyAndCertificate> {
  const [keyPem, certPem] = await Promise.all(
    ['authority.key', 'authority.pem'].map((file) => readFile(join(certificatesDir, file), 'utf8')),
  );
  const [domain = ''] = trust.domains;
  return issueCertificate({
    authority: { keyPem: keyPem ?? '', certPem: certPem ?? '' },
    commonName: domain,
    dnsNames: [domain],
    usage: 'signing',
    days: 300,
    now: new Date(),
  });
}

/** Copies one file after the other, as an operator without Kubernetes does. */
async function replace({ certificatesDir }: Service, { keyPem, certPem }: KeyAndCertificate): Promise<void> {
  await writeFile(join(certificatesDir, 'v2.key'), keyPem);
  await writeFile(join(certificatesDir, 'v2.pem'), certPem);
}

/** What every process that signs says of the certificate of version 2. */
async function gauges(service: Service, name: string): Promise<number[]> {
  const signing = service.parts().filter((part) => SIGNING.includes(part.name));
  const metrics = await Promise.all(signing.map(({ adminUrl }) => textAt(`${adminUrl}/metrics`)));
  return metrics.map((text) => Number(new RegExp(`^${GAUGE}_${name}{version="v2"} (\\d+)$`, 'm').exec(text)?.[1]));
}

const awaitGauges = (service: Service, name: string, value: number) =>
  until(`${name} to be ${String(value)} wherever there is signing`, async () =>
    (await gauges(service, name)).every((one) => one === value),
  );

/** Reads a request from a gateway. Returns the certificate that verifies the answer; undefined during a change. */
async function readVerified({ service, controller }: World, base: string, id: string): Promise<string | undefined> {
  const before = await addressNamed(base);
  const answer = await send(`${base}${controller.path}/${id}`, {
    headers: { authorization: `Basic ${Buffer.from(`${service.key}:${service.secret}`).toString('base64')}` },
  });
  if ((await addressNamed(base)) !== before) return undefined;
  const { domains, authorityPem } = service.trust;
  // Of the certificate that was named when the answer was signed: discovery may name the next one by now.
  const verifier = createVerifier({
    allowedDomains: domains,
    callbackUrls: () => true,
    trust: authorityPem,
    certificatePem: await textAt(before),
  });
  const { checks } = await verifier.verifySigned(answer.body, answer.headers);
  expect(checks.filter(({ passed }) => !passed)).toEqual([]);
  return before;
}

async function createWatched(world: World): Promise<CallbackWatch> {
  const watch = watchCallbacks(world);
  expect(
    (
      await world.controller.create(
        requestBody({ subject_identities: identitiesOf(somebody(world)), status_callback_urls: [watch.url] }),
      )
    ).status,
  ).toBe(201);
  return watch;
}

/** Every status has arrived once without a fault. One that came while the certificate changed may have been refused, and came again. */
const isTold = ({ seen }: CallbackWatch) =>
  new Set(seen.filter(({ faults }) => faults.length === 0).map(({ body }) => body.request_status)).size === 3;

/**
 * Reads a request from every gateway, again and again, until `body` is done, which gets to see the certificates that
 * answers verified under.
 */
async function whileReading(
  world: World,
  id: string,
  body: (verified: ReadonlySet<string | undefined>) => Promise<void>,
): Promise<void> {
  const verified = new Set<string | undefined>();
  let isOver = false;
  const read = async () => {
    while (!isOver) for (const base of world.service.baseUrls) verified.add(await readVerified(world, base, id));
  };
  const ended = body(verified).finally(() => {
    isOver = true;
  });
  // If reading fails, the work beside it ends before the next rule begins.
  const [reading, accompanied] = await Promise.allSettled([read(), ended]);
  for (const one of [reading, accompanied]) if (one.status === 'rejected') throw one.reason;
}

/** Every gateway answers for both certificates, each at its own address for good, and for the one in force at the address that stays. */
async function expectPublished(
  { baseUrls }: Service,
  certificates: Readonly<Record<string, string>>,
  inForce: string,
): Promise<void> {
  for (const base of baseUrls) {
    for (const [address, pem] of Object.entries(certificates)) {
      const answer = await send(`${base}${new URL(address).pathname}`);
      expect([answer.status, answer.body.toString(), answer.headers.get('cache-control')]).toEqual([
        200,
        pem,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect(await textAt(`${base}/v2/certificates/opendsr.pem`)).toBe(inForce);
    expect((await send(`${base}/v2/certificates/opendsr-${'0'.repeat(32)}.pem`)).status).toBe(404);
  }
}

/** Every process measures what may end its stores: the free space of its own, or the client certificates for servers. */
export async function expectStoresMeasured({ service }: World, { onMongodb }: { readonly onMongodb: boolean }) {
  const metric = onMongodb ? 'opendsr_client_certificate_expiry_timestamp_seconds' : 'opendsr_data_folder_free_bytes';
  for (const { adminUrl } of service.parts())
    expect(await textAt(`${adminUrl}/metrics`)).toContain(`\n# TYPE ${metric} gauge\n`);
}

/** Certificates are replaced while the service runs (docs/certificates.md). */
export function certificateRules(rule: Rule): void {
  rule(
    'a new certificate takes effect during requests and callbacks, the old one stays published, a wrong one has no effect',
    async (world) => {
      const { service, controller } = world;
      const [first = ''] = service.baseUrls;
      const pending = requestBody({
        subject_request_type: 'portability',
        subject_identities: identitiesOf(somebody(world)),
      });
      expect((await controller.create(pending)).status).toBe(201);
      const [old, ofV1, next] = [
        await addressNamed(first),
        await addressNamed(service.trustV1.baseUrl, 'v1'),
        await issue(service),
      ];
      const oldPem = await textAt(old);

      try {
        await whileReading(world, pending.subject_request_id, async (verified) => {
          const watches = [await createWatched(world)];
          await until('an answer under the old certificate', () => verified.has(old));
          await replace(service, next);
          await awaitGauges(
            service,
            'expiry_timestamp_seconds',
            new X509Certificate(next.certPem).validToDate.getTime() / 1000,
          );
          watches.push(await createWatched(world));
          const named = await addressNamed(first);
          await until('an answer under the new certificate', () => verified.has(named));
          await expectPublished(service, { [old]: oldPem, [named]: next.certPem }, next.certPem);

          await replace(service, { ...(await issue(service)), certPem: next.certPem });
          await awaitGauges(service, 'rejected', 1);
          await until('every callback', () => watches.every(isTold));
          expect([await addressNamed(first), await addressNamed(service.trustV1.baseUrl, 'v1')]).toEqual([named, ofV1]);
          expect([...verified].filter((address) => address !== undefined).sort()).toEqual([old, named].sort());
        });
      } finally {
        // Restores a valid pair for the next rules, also after a failure.
        await replace(service, next);
        await awaitGauges(service, 'rejected', 0);
      }
    },
  );
}
