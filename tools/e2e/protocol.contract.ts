import { json, raw, requestBody } from './controller';
import { identitiesOf, somebody, type Rule, type World } from './world';

/** A request that stays pending through any test. */
const waiting = (world: World, more: object) =>
  requestBody({ subject_request_type: 'portability', subject_identities: identitiesOf(somebody(world)), ...more });

/** What the conformance suite cannot ask of every processor (docs/protocol.md is proved by conformance.contract.ts). */
export function protocolRules(rule: Rule): void {
  rule('a refusal names the fault and repeats no value of the body', async (world) => {
    const {
      controller,
      planted: { text },
    } = world;
    const changes: object[] = [
      { regulation: text },
      { subject_request_id: text },
      { subject_request_type: text },
      { submitted_time: text },
      { api_version: text },
      { group_id: [text] },
      { subject_identities: [{ ...raw('email', text), identity_format: text }] },
      { subject_identities: [raw(text, text)] },
      { subject_identities: [raw('other', text)] },
      { status_callback_urls: [`http://callbacks.example/${text}`] },
      { extensions: text },
    ];
    const bodies = [...changes.map((change) => JSON.stringify(waiting(world, change))), `{"${text}`, `["${text}"]`];
    for (const body of bodies) {
      const answer = await controller.call('POST', '/v2/requests', body);
      expect(json<object>(answer)).toMatchObject({ code: 400, errors: [{ message: expect.any(String) as string }] });
      expect(answer.body.toString()).not.toContain(text);
    }
  });

  rule('callbacks to private addresses are refused unless the operator allows them', async (world) => {
    for (const host of ['10.0.0.1', '192.168.1.1', '169.254.169.254', '[fd00::1]', '[::ffff:10.0.0.1]']) {
      expect(
        (await world.controller.create(waiting(world, { status_callback_urls: [`https://${host}/callbacks`] }))).status,
      ).toBe(400);
    }
  });
}
