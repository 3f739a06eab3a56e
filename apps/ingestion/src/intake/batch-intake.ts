import type { Vault } from '@opendsr-service/vault';
import { ProfileFull } from '../identities/identity-limit';
import type { TrustLevel } from '../identities/subject';
import type { SubjectResolvers } from '../tokens';
import type { Batch } from './batch';
import type { Caller } from './caller';
import type { IngestPublisher } from './ingest-publisher';

/**
 * `taken` includes dropped batches. `unknown`: the mpid is unknown, and the batch names no identity. `full`: its profile
 * takes no further login identity.
 */
export type BatchResult = 'taken' | 'rejected' | 'unknown' | 'full';

type SourceRequest = (named: { readonly key: string; readonly mpid: string; readonly id: string }) => string[];

/** Unverified ids are separate for each subject: the key is public, and others could claim the ids of batches. */
const SOURCE_REQUEST: Readonly<Record<TrustLevel, SourceRequest>> = {
  verified: ({ key, id }) => ['source-request', key, id],
  unverified: ({ key, mpid, id }) => ['unverified-source-request', key, mpid, id],
};

export class BatchIntake {
  constructor(
    private readonly subjects: SubjectResolvers,
    private readonly intake: IngestPublisher,
    private readonly vault: Pick<Vault, 'index'>,
  ) {}

  /** Rejects if one batch cannot be handled now. Without an acknowledgement in time, all may have been taken. */
  async acceptBatches({ ws, key, policy, trust }: Caller, batches: readonly Batch[]): Promise<BatchResult[]> {
    const owners = await Promise.all(
      batches.map((batch) =>
        this.subjects[trust].resolveOwner(ws, batch, policy).catch((error: unknown) => {
          if (error instanceof ProfileFull) return 'full' as const;
          throw error;
        }),
      ),
    );
    const index = await this.vault.index(ws);
    const owned = batches.flatMap(({ body, sourceRequestId }, n) => {
      const subject = owners[n];
      if (typeof subject !== 'object') return [];
      return {
        subject,
        body,
        ...(sourceRequestId !== undefined && {
          sourceRequest: index.hash(...SOURCE_REQUEST[trust]({ key, mpid: subject.mpid, id: sourceRequestId })),
        }),
      };
    });
    await this.intake.publishBatches(ws, owned);
    return owners.map((owner) =>
      owner === undefined ? 'unknown' : owner === 'rejected' || owner === 'full' ? owner : 'taken',
    );
  }
}
