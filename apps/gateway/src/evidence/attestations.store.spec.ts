import mongoose from 'mongoose';
import { embeddedDatabase } from '@opendsr-service/storage/testing';
import { attestationId, type AttestationDocument } from './attestation.document';
import { AttestationsStore } from './attestations.store';

const database = embeddedDatabase('attestations');
afterAll(() => database.close());

const attestation = (srid: string, envelope: string): AttestationDocument => {
  const of = { ws: 'acme', srid, statement: 1 };
  return { _id: attestationId(of), ...of, envelope, digest: envelope, at: new Date('2026-11-21T09:00:00Z') };
};

it('an attestation that stands is returned beside those that are stored with it', async () => {
  const store = new AttestationsStore(await database.open());
  const [first, second, third] = [attestation('a', 'first'), attestation('a', 'second'), attestation('b', 'third')];
  expect(await store.keep([first])).toEqual([first]);
  expect((await store.keep([second, third])).toSorted((a, b) => (a._id < b._id ? -1 : 1))).toEqual([first, third]);
});

it('an attestation that cannot be stored is an error, also beside one that is there already', async () => {
  const connection = await database.open();
  const store = new AttestationsStore(connection);
  const refused = new mongoose.mongo.MongoBulkWriteError(
    { message: 'no', code: 11000, writeErrors: [11000, 50].map((code) => ({ code })) as never },
    { getWriteConcernError: () => undefined } as never,
  );
  jest.spyOn(connection.collection('attestations'), 'bulkWrite').mockRejectedValueOnce(refused);
  await expect(store.keep([attestation('c', 'first'), attestation('d', 'first')])).rejects.toBe(refused);
});
