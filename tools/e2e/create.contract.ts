import { V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import { Controller, raw, requestBody } from './controller';
import { awaitResult, awaitStatus } from './follow';
import { FULL } from './full';
import { awaitEvent } from './reports';
import { somebody, ingestPerson, type Rule, type World } from './world';

/** A request by profiles, as text, because the exact digits matter. */
function byMpids({ service }: World, version: ProtocolVersion, mpids: string): { id: string; text: string } {
  const [domain = ''] = (version === V1 ? service.trustV1 : service.trust).domains;
  const body = requestBody({}, version);
  return {
    id: body.subject_request_id,
    text: `${JSON.stringify(body).slice(0, -1)},"extensions":{"${domain}":{"mpids":${mpids}}}}`,
  };
}

/** A person with an mpid beyond JavaScript numbers: as a number it would be another one. */
async function somebodyFar(world: World): Promise<bigint> {
  for (;;) {
    const mpid = BigInt(await ingestPerson(world, somebody(world)));
    if (Number(mpid) === Number(mpid - 1n)) return mpid;
  }
}

/** What only who knows the other services can see of a create; everything else is a rule of the conformance suite. */
export function createRules(rule: Rule): void {
  rule('the event of a request has its submitted time and, in version 2, its regulation', async (world) => {
    for (const [version, expected] of [
      [V2, { regulation: 'ccpa' }],
      [V1, {}],
    ] as const) {
      const body = requestBody(
        {
          subject_request_type: 'portability',
          ...expected,
          submitted_time: '2026-01-05T11:00:00+01:00',
          subject_identities: [raw('email', somebody(world).email)],
        },
        version,
      );
      expect((await new Controller(world.service, version).create(body)).status).toBe(201);
      const { request } = await awaitEvent(world.service, body.subject_request_id, 'RequestReceived');
      const { regulation, submittedTime, apiVersion } = request;
      expect({ regulation, submittedTime, apiVersion }).toEqual({
        ...expected,
        submittedTime: '2026-01-05T10:00:00.000Z',
        apiVersion: version.apiVersion,
      });
    }
  });

  rule(
    'an mpid beyond 2^53 reaches only its own profile, as a number and as text, in either version',
    async (world) => {
      const [asNumber, asText] = [await somebodyFar(world), await somebodyFar(world)];
      const cases: [ProtocolVersion, string, string | undefined][] = [
        [V2, String(asNumber), String(asNumber)],
        [V1, `"${String(asText)}"`, String(asText)],
        [V2, String(asNumber - 1n), undefined],
      ];
      await Promise.all(
        cases.map(async ([version, mpid, reached]) => {
          const controller = new Controller(world.service, version);
          const { id, text } = byMpids(world, version, `[${mpid}]`);
          expect((await controller.createText(text)).status).toBe(201);
          const { status, archive } = await awaitResult(controller, id);
          expect([mpid, status]).toEqual([mpid, reached === undefined ? 404 : 200]);
          if (reached !== undefined) expect(archive?.get('profile.jsonl')?.toString()).toContain(`"id":${reached},`);
        }),
      );
    },
  );
  if (FULL) manyMpidsRule(rule);
}

function manyMpidsRule(rule: Rule): void {
  rule('a request with ten thousand mpids ends, and finds the data of a person among them', async (world) => {
    const known = await somebodyFar(world);
    const mpids = Array.from({ length: 9_999 }, (_, n) => `"${String(10n ** 14n + BigInt(n))}"`);
    const { id, text } = byMpids(world, V2, `[${[...mpids, `"${String(known)}"`].join(',')}]`);
    expect((await world.controller.createText(text)).status).toBe(201);
    const { status, archive } = await awaitResult(world.controller, id);
    expect([
      status,
      archive
        ?.get('profile.jsonl')
        ?.toString()
        .includes(`"id":${String(known)},`),
    ]).toEqual([200, true]);
    const erasure = byMpids(world, V2, `[${[...mpids, `"${String(known)}"`].join(',')}]`);
    expect((await world.controller.createText(erasure.text.replace('"access"', '"erasure"'))).status).toBe(201);
    await awaitStatus(world.controller, erasure.id, 'completed');
  });
}
