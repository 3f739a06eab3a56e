import { V1, V2, type ProtocolVersion } from '@opendsr-service/contracts';
import { Controller, requestBody } from './controller';
import { awaitResult } from './follow';
import { somebody, tellOf, type Rule, type World } from './world';

/** A request by profiles alone, written so that the digits reach the service as they stand here. */
function byMpids({ service }: World, version: ProtocolVersion, mpids: string): { id: string; text: string } {
  const [domain = ''] = (version === V1 ? service.trustV1 : service.trust).domains;
  const body = requestBody({}, version);
  return { id: body.subject_request_id, text: `${JSON.stringify(body).slice(0, -1)},"extensions":{"${domain}":{"mpids":${mpids}}}}` };
}

/** Somebody whose mpid no JavaScript number holds: one digit less is the same number, and nobody. */
async function somebodyFar(world: World): Promise<bigint> {
  for (;;) {
    const mpid = BigInt(await tellOf(world, somebody(world)));
    if (Number(mpid) === Number(mpid - 1n)) return mpid;
  }
}

/** What only who knows the other services can see of a create; everything else is a rule of the conformance suite. */
export function createRules(rule: Rule): void {
  rule('an mpid beyond 2^53 reaches its profile and no other, as a number and as text, in either version', async (world) => {
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
  });
}
