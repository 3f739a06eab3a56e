import { randomUUID } from 'node:crypto';
import { verifyAttestation, type AttestationVerdict } from '@opendsr-service/client';
import { V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import type { Trust } from '../receiver/verification';
import { Controller, json, requestBody } from './controller';
import { attestationPath, awaitAttestation, awaitStatus } from './follow';
import { dsr } from './operator';
import { identitiesOf, ingestPerson, somebody, type Rule, type World } from './world';

function verified(file: Buffer, logKey: string, { domains, authorityPem }: Trust) {
  const verdict: AttestationVerdict = verifyAttestation(file, {
    ...{ allowedDomains: domains, trust: authorityPem, logKey },
  });
  if (!verdict.valid) throw new Error(`not valid: ${verdict.failed}`);
  return verdict;
}

const keyOfLog = async ({ service }: World): Promise<string> =>
  (await dsr(service, 'transparency', 'key')).output.trim();

const versionsOf = ({ service }: World): readonly (readonly [ProtocolVersion, Trust])[] => [
  [V2, service.trust],
  [V1, service.trustV1],
];

/** What a controller gets of a request that has ended (docs/evidence.md). */
export function attestationRule(rule: Rule): void {
  rule(
    'a request that ends gets an attestation with a proof, in both versions and for its workspace alone, and none before',
    async (world) => {
      const logKey = await keyOfLog(world);
      const check = async ([version, trust]: readonly [ProtocolVersion, Trust]) => {
        const owner = new Controller(world.service, version);
        const stranger = new Controller({ ...world.service, ...(await world.service.other()) }, version);
        const person = somebody(world);
        await ingestPerson(world, person);
        const body = requestBody(
          { subject_request_type: 'erasure', subject_identities: identitiesOf(person) },
          version,
        );
        const id = body.subject_request_id;
        expect((await owner.create(body)).status).toBe(201);
        const early = await owner.call('GET', attestationPath(owner, id));
        expect([early.status, json<{ code: number }>(early).code]).toEqual([404, 404]);
        await awaitStatus(owner, id, 'completed');
        const bundle = await awaitAttestation(owner, id, '/bundle');
        const verdict = verified(bundle.body, logKey, trust);
        expect(verdict.attestation).toMatchObject({
          ...{ requestId: id, requestType: 'erasure', outcome: 'completed', interfaceVersion: version.apiVersion },
          destroyed: { profiles: 1, keys: 1, archives: 0 },
        });
        expect(verdict.attestation.participants.map(({ name }) => name)).toEqual(
          expect.arrayContaining(['ingestion', 'results']),
        );
        const envelope = await owner.call('GET', attestationPath(owner, id, '?statement=1'));
        expect([envelope.status, envelope.headers.get('content-type'), bundle.headers.get('content-type')]).toEqual([
          200,
          'application/vnd.dsse.envelope.v1+json',
          'application/vnd.opendsr-service.attestation-bundle.v1+json',
        ]);
        expect(json<{ envelope: string }>(bundle).envelope).toBe(envelope.body.toString('base64'));
        const known = { 'if-none-match': envelope.headers.get('etag') ?? '' };
        expect((await owner.call('GET', attestationPath(owner, id, '?statement=1'), undefined, known)).status).toBe(
          304,
        );
        expect((await owner.call('GET', attestationPath(owner, id, '?statement=3'))).status).toBe(400);
        for (const more of ['', '/bundle']) {
          expect((await stranger.call('GET', attestationPath(stranger, id, more))).status).toBe(404);
          expect((await owner.call('GET', attestationPath(owner, randomUUID(), more))).status).toBe(404);
        }
        expect(envelope.body.toString()).not.toContain(person.email);
      };
      await Promise.all(versionsOf(world).map(check));
    },
  );
}

export function cancelledAttestationRule(rule: Rule): void {
  rule('a cancelled request is attested as well', async (world) => {
    const { controller } = world;
    const body = requestBody({ subject_request_type: 'erasure', subject_identities: identitiesOf(somebody(world)) });
    await controller.create(body);
    expect((await controller.cancel(body.subject_request_id)).status).toBe(202);
    const bundle = await awaitAttestation(controller, body.subject_request_id, '/bundle');
    const { attestation } = verified(bundle.body, await keyOfLog(world), world.service.trust);
    expect(attestation).toMatchObject({ outcome: 'cancelled', participants: [] });
  });
}
