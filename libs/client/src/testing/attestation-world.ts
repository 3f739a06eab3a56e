import { createHash, X509Certificate } from 'node:crypto';
import { attestationPayload, bundleText, STATEMENT_MEDIA_TYPE, type BundleParts } from '@opendsr-service/contracts';
import { attestedErasure, attestedSubjects } from '@opendsr-service/contracts/testing';
import { signEnvelope } from '@opendsr-service/signing';
import {
  checkpointText,
  privateKeyText,
  signatureBy,
  signNote,
  writeNote,
  type NoteSigner,
} from '@opendsr-service/transparency';
import { cosigner, MemoryTiles, testSigner } from '@opendsr-service/transparency/testing';
import { signatureOf, type Party } from './authorities';
import { DOMAIN, makeWorld, type World } from './vector-world';

export const LOG = testSigner(`${DOMAIN}/transparency`);
export const WITNESS = cosigner(privateKeyText('witness.example/w', Buffer.alloc(32, 3)), () => 1_767_225_600n);
/** The time of the entry, within the dates of the certificates. */
export const LOGGED_AT = '2026-01-01T00:00:02.000Z';
export const PAYLOAD = attestationPayload(attestedErasure, attestedSubjects);

const LEAVES = 20;
const PLACE = 11;

/** The signer of a party, over which bytes it will. */
export const signerOf = (party: Party, chain: readonly Party[]) => ({
  sign: (bytes: Buffer) => signatureOf(bytes, party),
  fingerprint: new X509Certificate(party.pem).fingerprint256.replaceAll(':', '').toLowerCase(),
  certificatePem: chain.map(({ pem }) => pem).join(''),
});

export interface EnvelopeWish {
  readonly payload?: Buffer;
  readonly payloadType?: string;
  readonly leaf?: Party;
  readonly chain?: readonly Party[];
}

/** A processor that attests, and its log. */
export interface AttestingWorld extends World {
  readonly envelope: (wish?: EnvelopeWish) => Promise<Buffer>;
  /** The parts of the bundle of an envelope; `entry` and `checkpoint` may be others than they should be. */
  readonly logged: (envelope: Buffer, wish?: LogWish) => Promise<BundleParts>;
}

export interface LogWish {
  readonly entry?: object;
  readonly signer?: NoteSigner;
  readonly origin?: string;
}

export async function makeAttestingWorld(): Promise<AttestingWorld> {
  const world = await makeWorld();
  return {
    ...world,
    envelope: ({
      payload = PAYLOAD,
      payloadType = STATEMENT_MEDIA_TYPE,
      leaf = world.leaf,
      chain,
    }: EnvelopeWish = {}) => signEnvelope(payloadType, payload, signerOf(leaf, chain ?? [leaf, world.between])),
    logged,
  };
}

async function logged(
  envelope: Buffer,
  { entry = {}, signer = LOG, origin = LOG.name }: LogWish = {},
): Promise<BundleParts> {
  const digest = createHash('sha256').update(envelope).digest('base64url');
  const own = Buffer.from(JSON.stringify({ kind: 'attestation', at: LOGGED_AT, digest, ...entry }));
  const tiles = new MemoryTiles();
  await tiles.append(
    Array.from({ length: LEAVES }, (_, n) => (n === PLACE ? own : Buffer.from(`{"kind":"receipt","n":${n}}`))),
  );
  const text = checkpointText({ origin, size: LEAVES, root: await tiles.tree().root() });
  const note = signNote(text, signer);
  return {
    envelope,
    index: PLACE,
    entry: own,
    inclusion: await tiles.tree().inclusionProof(PLACE),
    checkpoint: writeNote({ text, signatures: [...note.signatures, signatureBy(WITNESS, text)] }),
  };
}

export const bundle = (parts: BundleParts): Buffer => Buffer.from(bundleText(parts));
