import { attestationPayload, type BundleParts } from '@opendsr-service/contracts';
import { attestedCancellation, attestedErasure, attestedSubjects } from '@opendsr-service/contracts/testing';
import { TODAY } from './authorities';
import {
  signatureIn,
  withEnvelope,
  withStatement,
  type AttestationCase,
  type AttestationCases,
} from './attestation-case';
import type { AttestationVector } from './attestation-vector';
import { entryForgeries, logForgeries } from './attestation-vectors-of-logs';
import { certificateForgeries, signatureForgeries, statementForgeries } from './attestation-vectors-of-signatures';
import { bundle, LOG, WITNESS, type AttestingWorld } from './attestation-world';
import { DOMAIN } from './vector-world';

const YEARS_LATER = new Date('2036-01-01T00:00:00Z');

/** Good ones, and for each check files that fail it alone. */
export async function attestationVectors(world: AttestingWorld): Promise<AttestationVector[]> {
  const envelope = await world.envelope();
  const parts = await world.logged(envelope);
  const cases: AttestationCases = {
    ...(await goodCases(world, envelope, parts)),
    ...logForgeries(parts),
    ...(await entryForgeries(world, envelope)),
    ...(await certificateForgeries(world)),
    ...(await signatureForgeries(world, envelope)),
    ...(await statementForgeries(world)),
  };
  return Object.entries(cases).map(([name, one]) => vectorOf(name, world, one));
}

function vectorOf(name: string, { root }: AttestingWorld, one: AttestationCase): AttestationVector {
  const { description, file, failed, witnessKeys, domains = [DOMAIN], now = TODAY } = one;
  const isBundle = file.toString().includes('"inclusion":');
  const logKey = 'logKey' in one ? one.logKey : isBundle ? LOG.verifierKey : undefined;
  return {
    ...{ name, description, file_base64: file.toString('base64'), trust_pem: root.pem, allowed_domains: domains },
    ...(logKey !== undefined && { log_key: logKey }),
    ...(witnessKeys && { witness_keys: witnessKeys }),
    now: now.toISOString(),
    expected: { valid: failed === undefined, ...(failed && { failed }) },
  };
}

async function goodCases(world: AttestingWorld, envelope: Buffer, parts: BundleParts): Promise<AttestationCases> {
  const later = withStatement({ later: 1, predicate: { ...attestedErasure, later: {} } });
  const own = signatureIn(envelope);
  const others = [{ keyid: 'other', sig: 'AAAA' }, own];
  return {
    'good-envelope': { description: 'An envelope alone, while its certificate is valid.', file: envelope },
    'good-bundle': { description: 'A bundle.', file: bundle(parts) },
    'good-bundle-witnessed': {
      description: 'A bundle whose checkpoint a witness cosigned.',
      file: bundle(parts),
      witnessKeys: [WITNESS.verifierKey],
    },
    'good-bundle-years-later': {
      description: 'A bundle long after its certificate expired: the log dates it.',
      file: bundle(parts),
      now: YEARS_LATER,
    },
    'good-bundle-without-key': {
      description: 'A bundle whose log is not checked, while its certificate is valid.',
      file: bundle({ ...parts, checkpoint: 'of an unknown log' }),
      logKey: undefined,
    },
    'good-cancelled': {
      description: 'A request that was cancelled, without a receipt: only required fields.',
      file: await world.envelope({
        payload: attestationPayload(attestedCancellation, { events: attestedSubjects.events }),
      }),
    },
    'good-unknown-fields': {
      description: 'Statement, predicate and envelope have fields of later versions.',
      file: withEnvelope(await world.envelope({ payload: later }), { later: true }),
    },
    'good-second-signature': {
      description: 'The envelope has a signature of somebody else as well.',
      file: withEnvelope(envelope, { signatures: others }),
    },
    'good-second-domain': {
      description: 'The processor has two domains, and the certificate is of the second.',
      file: envelope,
      domains: ['opengdpr.processor.example', DOMAIN],
    },
  };
}
