import { logVectors } from '../testing/vectors';
import { checkpointText, openCheckpoint, readCheckpoint } from './checkpoint';
import { cosignedAt, cosigner, NoteKeyError, noteSigner, noteVerifier, privateKeyText, witnessVerifier } from './keys';
import { isSignedBy, readNote, signatureBy, signatureLine, signNote, writeNote } from './note';
import { cosignatureIn, offerText } from './offer';

const vectors = logVectors();
const signer = noteSigner(vectors.PrivateKey);
const verifier = noteVerifier(vectors.VerifierKey);
const root = Buffer.from(vectors.Roots[String(vectors.Leaves)] ?? '', 'base64');
const text = checkpointText({ origin: signer.name, size: vectors.Leaves, root });

it('signs a checkpoint to the bytes that Go writes with the same key', () => {
  expect(writeNote(signNote(text, signer))).toBe(vectors.Note);
  expect(signer.verifierKey).toBe(vectors.VerifierKey);
});

it('opens a checkpoint of its log', () => {
  expect(openCheckpoint(vectors.Note, verifier)).toMatchObject({ origin: 'vectors.example/log', size: 1100, root });
});

it('opens none that another log signed, that names another log, or whose text or signature was changed', () => {
  const other = noteSigner(privateKeyText('vectors.example/log', Buffer.alloc(32, 9)));
  const elsewhere = checkpointText({ origin: 'other.example/log', size: 1100, root });
  const changed = signatureBy(signer, text).signature.fill(0, 0, 1);
  for (const note of [
    writeNote(signNote(text, other)),
    writeNote(signNote(elsewhere, signer)),
    vectors.Note.replace('1100', '1101'),
    writeNote({ text, signatures: [{ ...signatureBy(signer, text), signature: changed }] }),
    writeNote({ text, signatures: [signatureBy(signer, text), { ...signatureBy(signer, text), signature: changed }] }),
    writeNote({ text, signatures: [] }),
    text,
    '',
  ])
    expect(openCheckpoint(note, verifier)).toBeUndefined();
});

it('keeps signatures of others beside that of the log', () => {
  const witness = cosigner(privateKeyText('witness.example/w', Buffer.alloc(32, 3)), () => 1_700_000_000n);
  const note = signNote(text, signer);
  const cosigned = { ...note, signatures: [...note.signatures, signatureBy(witness, text)] };
  const read = readNote(writeNote(cosigned));
  expect(read).toEqual(cosigned);
  expect(openCheckpoint(writeNote(cosigned), verifier)).toMatchObject({ size: 1100 });
  expect(isSignedBy(cosigned, noteVerifier(witness.verifierKey))).toBe(true);
  expect(isSignedBy(note, noteVerifier(witness.verifierKey))).toBe(false);
  expect(isSignedBy({ ...cosigned, text: text.replace('1100', '1101') }, noteVerifier(witness.verifierKey))).toBe(
    false,
  );
});

it('takes the cosignature that a witness in Go made, for its own time alone', () => {
  expect(isSignedBy(readNote(vectors.Cosigned)!, noteVerifier(vectors.WitnessKey))).toBe(true);
  const later = readNote(vectors.Cosigned)!;
  later.signatures.at(-1)!.signature.writeBigUInt64BE(1n);
  expect(isSignedBy(later, noteVerifier(vectors.WitnessKey))).toBe(false);
});

it('offers a checkpoint to a witness as the protocol writes it', () => {
  const note = writeNote(signNote(text, signer));
  const proof = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  expect(offerText({ oldSize: 300, proof, note })).toBe(
    `old 300\n${Buffer.alloc(32, 1).toString('base64')}\n${Buffer.alloc(32, 2).toString('base64')}\n\n${note}`,
  );
  expect(offerText({ oldSize: 0, proof: [], note })).toBe(`old 0\n\n${note}`);
});

it('takes from the answer of a witness its own cosignature of this text, and nothing else', () => {
  const keyOf = (name: string, fill: number) =>
    cosigner(privateKeyText(name, Buffer.alloc(32, fill)), () => 1_700_000_000n);
  const [witness, other] = [keyOf('witness.example/w', 3), keyOf('witness.example/w', 4)];
  const verifierOf = ({ verifierKey }: typeof witness) => witnessVerifier(verifierKey);
  const line = (by: typeof witness, of = text) => signatureLine(signatureBy(by, of));
  const taken = cosignatureIn(`${line(other)}${line(witness)}`, text, verifierOf(witness))!;
  expect(signatureLine(taken)).toBe(line(witness));
  expect(cosignedAt(taken.signature)).toEqual(new Date(1_700_000_000_000));
  const elsewhere = `${line(witness, `${text}more\n`)}`;
  for (const answer of ['', '\n', 'thanks\n', line(other), elsewhere, `more\n\n${elsewhere}`, line(witness).trim()])
    expect([answer, cosignatureIn(answer, text, verifierOf(witness))]).toEqual([answer, undefined]);
  expect(() => witnessVerifier(signer.verifierKey)).toThrow('its algorithm is not cosignature/v1');
});

it.each([
  ['no size', 'o\n\nAAAA\n'],
  ['a size with a zero before it', `o\n01\n${root.toString('base64')}\n`],
  ['a short root', 'o\n1\nAAAA\n'],
  ['no name', `\n1\n${root.toString('base64')}\n`],
  ['no end of line', `o\n1\n${root.toString('base64')}`],
  ['an empty line below', `o\n1\n${root.toString('base64')}\n\n`],
])('reads no checkpoint with %s', (_what, of) => {
  expect(readCheckpoint(of)).toBeUndefined();
});

it('refuses keys that are none, without showing them', () => {
  const [name, id, key] = vectors.VerifierKey.split('+') as [string, string, string];
  for (const verifierKey of ['', 'a b+00000000+AA==', `${name}+00000000+${key}`, `${name}+${id}+AAAA`])
    expect(() => noteVerifier(verifierKey)).toThrow(NoteKeyError);
  for (const secret of ['', vectors.VerifierKey, vectors.PrivateKey.replace('vectors', 'other')]) {
    expect(() => noteSigner(secret)).toThrow(NoteKeyError);
    try {
      noteSigner(secret);
    } catch (error) {
      expect(String(error)).not.toContain(vectors.PrivateKey.slice(-20));
    }
  }
  expect(() => privateKeyText('a name', Buffer.alloc(32))).toThrow(NoteKeyError);
});
