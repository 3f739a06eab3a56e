import { randomUUID } from 'node:crypto';
import { Controller, raw, requestBody } from '../../e2e/controller';
import { awaitEnds } from '../../e2e/follow';
import type { Installation } from '../installation';
import type { Proof } from '../proof';

const REQUESTS = 20;
const LIMIT_MS = 240_000;

/** Requests that are made now come to their end. */
export async function proveRequests(proof: Proof, installation: Installation, title: string): Promise<void> {
  const controller = new Controller(installation.account);
  // A second request about the same person would be refused while the first is open.
  const bodies = Array.from({ length: REQUESTS }, () =>
    requestBody({ subject_identities: [raw('email', `${randomUUID()}@example.com`)] }),
  );
  const ends = await proof.step(title, installation, async () => {
    const created = await Promise.all(bodies.map((body) => controller.create(body)));
    const refused = created.filter(({ status }) => status !== 201).map(({ status }) => String(status));
    if (refused.length > 0) throw new Error(`creates were answered with ${refused.join(', ')}`);
    return awaitEnds(
      controller,
      bodies.map(({ subject_request_id: id }) => id),
      LIMIT_MS,
    );
  });
  const open = [...ends.values()].filter((end) => end !== 'completed');
  proof.checks.check(`${String(REQUESTS)} requests complete`, open);
}
