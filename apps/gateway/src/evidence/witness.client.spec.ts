import { offerText, signNote, writeNote } from '@opendsr-service/transparency';
import { testSigner, WitnessDouble } from '@opendsr-service/transparency/testing';
import { WitnessClient } from './witness.client';

const signer = testSigner();
const body = offerText({ oldSize: 0, proof: [], note: writeNote(signNote('text\n', signer)) });

it('gives up an offer that is not answered in time', async () => {
  const witness = await WitnessDouble.start(signer.verifier);
  witness.fault = 'hangs';
  const client = new WitnessClient(witness.url, 200);
  expect(await client.offer(body, client.deadline())).toEqual({ kind: 'away' });
  await witness.leave();
});

it.each([
  ['300\n', 'text/x.tlog.size', 300],
  ['0\n', 'text/x.tlog.size', 0],
  ['300\n', 'text/plain', undefined],
  ['300', 'text/x.tlog.size', undefined],
  ['-1\n', 'text/x.tlog.size', undefined],
  ['0300\n', 'text/x.tlog.size', undefined],
  ['9999999999999999\n', 'text/x.tlog.size', undefined],
])('reads from %j as %s the size %j', async (text, type, size) => {
  const witness = await WitnessDouble.start(signer.verifier);
  witness.fault = (answer) => void answer.writeHead(409, { 'content-type': type }).end(text);
  const client = new WitnessClient(witness.url);
  expect(await client.offer(body, client.deadline())).toEqual({ kind: 'conflict', size });
  await witness.leave();
});
