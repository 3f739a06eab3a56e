import { createSecretKey, randomBytes } from 'node:crypto';
import { evidenceLeaf, requestKey, TOPICS, type EncodedMessage } from '@opendsr-service/contracts';
import type { EventLog, LogRecord } from '@opendsr-service/messaging';
import { systemClock } from '@opendsr-service/service';
import { ensureIndexes, type Storage } from '@opendsr-service/storage';
import { embeddedStorage } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import { digestOf, LEAF_AT as at, leafKey, leafRecord, leafVault as vault } from '../testing/leaves';
import { openLoggedDatabase } from '../testing/logged-database';
import { leafOf } from './attestation.document';
import { AttestationsStore } from './attestations.store';
import { bringBackAttestations, EvidenceLeaves } from './evidence-leaves';
import { LeavesStore } from './leaves.store';

let storage: Storage;
let connection: Connection;
let close: () => Promise<void>;
let events: EventLog;
let leaves: EvidenceLeaves;
const [ws, srid, envelope] = ['acme', '475974fa-6b42-4370-bb56-b5d845686bb5', '{"payload":"p"}'];
const theirs = createSecretKey(randomBytes(32));

beforeAll(async () => {
  storage = await embeddedStorage();
});
afterAll(() => storage.close());
beforeEach(async () => {
  ({ connection, log: events, close } = await openLoggedDatabase(storage, 'leaves'));
  const stores = { leaves: new LeavesStore(connection), attestations: new AttestationsStore(connection) };
  await ensureIndexes(connection);
  leaves = new EvidenceLeaves({ ...stores, vault, events, clock: systemClock });
});
afterEach(() => close());

const attested = (more: object = {}, { statement = 1, key = leafKey } = {}): EncodedMessage =>
  evidenceLeaf(
    {
      ...{ ...leafOf({ ws, srid, statement }), digest: digestOf(envelope), at, ...more },
      attestation: { srid, statement: 1, envelope },
    },
    key,
  );
/** Takes them, as what the consumer gets and as what a restored copy reads again. */
async function take(...given: readonly EncodedMessage[]) {
  await events.publisher.publish(TOPICS.evidenceLeaves.name, given);
  const records: LogRecord[] = [];
  await events.read(TOPICS.evidenceLeaves.name, {}, (some) => (records.push(...some), Promise.resolve()));
  const verdicts = await leaves.take(records);
  await leaves.readAgain();
  await bringBackAttestations(events, new AttestationsStore(connection), leafKey);
  const stored = (name: string) => connection.collection<{ _id: string }>(name).find({}).toArray();
  return { verdicts, leaves: await stored('leaves'), attestations: await stored('attestations') };
}

it('take no place and change nothing where the installation did not sign them, and are parked aside', async () => {
  const [genuine, other] = [leafRecord(0), leafRecord(1)];
  const backDated = attested({ at: '2020-01-01T00:00:00.000Z' }, { key: theirs });
  const taken = await take(
    leafRecord(0, 'receipt', theirs),
    { ...leafRecord(0, 'receipt', theirs), headers: other.headers },
    backDated,
    genuine,
    attested(),
  );
  const aside = { park: 'wrong-signature', aside: true };
  expect(taken).toMatchObject({
    verdicts: [aside, aside, aside, 'done', 'done'],
    leaves: [{ _id: genuine.key }, { _id: attested().key }],
    attestations: [{ _id: requestKey(ws, srid), at: new Date(at) }],
  });
});

it.each([
  ['another digest', attested({ digest: digestOf('another') })],
  ['the id of another statement', attested({}, { statement: 2 })],
  ['the id of another kind', attested({ kind: 'receipt' })],
])('bring back no attestation with %s', async (_what, record) => {
  expect(await take(record)).toEqual({
    verdicts: [{ park: 'other-envelope', aside: true }],
    ...{ leaves: [], attestations: [] },
  });
});
