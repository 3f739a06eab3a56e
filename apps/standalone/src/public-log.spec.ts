import { createHash, randomUUID } from 'node:crypto';
import { DEFAULT_LEGAL_CALENDAR, legalDueAt } from '@opendsr-service/contracts';
import { until } from '@opendsr-service/messaging/testing';
import {
  bundlePath,
  entriesOf,
  isIncluded,
  leafHash,
  openCheckpoint,
  StoredTree,
  tilePath,
} from '@opendsr-service/transparency';
import { testSigner } from '@opendsr-service/transparency/testing';
import { World } from './testing/world';

let world: World;
beforeEach(() => {
  world = new World();
});
afterEach(() => world.close());

const body = () => ({
  ...{ regulation: 'gdpr', subject_request_id: randomUUID(), subject_request_type: 'access' },
  submitted_time: new Date().toISOString(),
  subject_identities: [
    { identity_type: 'email', identity_value: `${randomUUID()}@example.com`, identity_format: 'raw' },
  ],
});

it('shows each receipt that a controller got in the public log, with a proof from its tiles, and nothing of the request', async () => {
  const call = await world.gateway();
  await world.fulfilment();
  const sent = Array.from({ length: 5 }, body);
  const receipts = await Promise.all(
    sent.map(async (one) => {
      const answer = await call('POST', '/v2/requests', one);
      const signature = Buffer.from(answer.headers.get('x-opendsr-signature') ?? '', 'base64');
      return { receipt: Buffer.from(await answer.arrayBuffer()), signature };
    }),
  );
  const read = async (path: string) =>
    Buffer.from(await (await call('GET', `/transparency/${path}`, undefined, { authorization: '' })).arrayBuffer());
  const newest = async () => openCheckpoint(String(await read('checkpoint')), testSigner().verifier);
  await until(async () => (await newest())?.size === receipts.length);
  const head = (await newest())!;
  const entries = entriesOf(await read(bundlePath({ index: 0, width: head.size })))!;
  const shown = entries.map((entry) => JSON.parse(String(entry)) as { kind: string; digest: string; dueAt: string });
  const tree = new StoredTree(head.size, { tile: (tile) => read(tilePath(tile)) });
  for (const { receipt, signature } of receipts) {
    expect(signature.length).toBeGreaterThan(255);
    const digest = createHash('sha256').update(receipt).update(signature).digest('base64url');
    const place = shown.findIndex((entry) => entry.digest === digest);
    const { received_time: received = '' } = JSON.parse(String(receipt)) as Record<string, string>;
    const dueAt = legalDueAt('gdpr', new Date(received), DEFAULT_LEGAL_CALENDAR).toISOString();
    expect(shown[place]).toMatchObject({ kind: 'receipt', dueAt });
    const proof = await tree.inclusionProof(place);
    expect(isIncluded(leafHash(entries[place] as Buffer), place, proof, head)).toBe(true);
  }
  const text = entries.map(String).join('\n');
  for (const {
    subject_request_id: id,
    subject_identities: [identity],
  } of sent)
    for (const planted of [id, identity?.identity_value ?? '', 'sandbox']) expect(text).not.toContain(planted);
});
