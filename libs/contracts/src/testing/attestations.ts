import type { Attestation } from '../attestation/predicate';
import type { AttestationSubjects } from '../attestation/statement';

/** An erasure that was completed, with every field. */
export const attestedErasure: Attestation = {
  statement: 2,
  previous: 'mJw1n6Wm3O2x0pS4Zb1l7Yc9d8e7f6g5h4i3j2k1l0A',
  workspace: 'acme',
  controllerId: 'acme-shop',
  requestId: '475974fa-6b42-4370-bb56-b5d845686bb5',
  requestType: 'erasure',
  regulation: 'gdpr',
  interfaceVersion: '2.0',
  receivedAt: '2026-01-05T10:00:00.000Z',
  startedAt: '2026-01-12T10:00:00.000Z',
  endedAt: '2026-02-20T10:00:00.000Z',
  outcome: 'completed',
  legalDueAt: '2026-02-05T23:59:59.999Z',
  legalDateKept: true,
  extension: { extendedUntil: '2026-04-05T23:59:59.999Z', decidedAt: '2026-02-01T10:00:00.000Z' },
  participants: [
    { name: 'ingestion', status: 'completed', reportedAt: '2026-01-12T10:02:00.000Z' },
    {
      name: 'crm',
      domain: 'crm.example.com',
      status: 'skipped',
      reportedAt: '2026-02-20T10:00:00.000Z',
      waivedBy: 'operator',
    },
  ],
  destroyed: {
    profiles: 1,
    batches: 12,
    archives: 2,
    keys: 3,
    tombstones: ['00000000-0000-5000-8000-000000000041'],
  },
  erasure: {
    secondPass: true,
    generation: 4,
    generationDestroyedAt: '2026-03-01T00:00:00.000Z',
    backups: 'not-known',
  },
};

/** A request that was cancelled before anything began: the fields that every attestation has. */
export const attestedCancellation: Attestation = {
  statement: 1,
  workspace: 'acme',
  controllerId: 'acme-shop',
  requestId: '475974fa-6b42-4370-bb56-b5d845686bb5',
  requestType: 'access',
  interfaceVersion: '1.0',
  receivedAt: '2026-01-05T10:00:00.000Z',
  endedAt: '2026-01-05T10:05:00.000Z',
  outcome: 'cancelled',
  participants: [],
};

/** The subjects of both. */
export const attestedSubjects: AttestationSubjects = {
  receipt: 'BpfBw7ivV8q2jLiT15aEeMVmRyN3RgZrJ8ULdWfdCKE',
  events: '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
};
