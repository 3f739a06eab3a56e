import type { Vault } from '@opendsr-service/vault';
import type { TrustLevel, SubjectResolvers } from '../identities/subject';
import type { Batch } from './batch';
import type { Caller } from './caller';
import type { IngestPublisher } from './ingest-publisher';

/** What became of a sound batch. One that the policy drops counts as taken; `unknown`: its mpid is nobody's, and it names nobody else. */
export type BatchResult = 'taken' | 'rejected' | 'unknown';

type SourceRequest = (named: { readonly key: string; readonly mpid: string; readonly id: string }) => string[];

/** Apart, and by the public key alone for each person, or everybody who knows that key could make batches of others count as repeats. */
const SOURCE_REQUEST: Readonly<Record<TrustLevel, SourceRequest>> = {
  verified: ({ key, id }) => ['source-request', key, id],
  unverified: ({ key, mpid, id }) => ['unverified-source-request', key, mpid, id],
};

/** Finds out whose the batches of a call are and gives them to the log together. */
export class BatchIntake {
  constructor(
    private readonly subjects: SubjectResolvers,
    private readonly intake: IngestPublisher,
    private readonly vault: Pick<Vault, 'index'>,
  ) {}

  /** Rejects where one of them could not be dealt with for the moment; then none was given to the log by this call. */
  async acceptBatches({ ws, key, policy, trust }: Caller, batches: readonly Batch[]): Promise<BatchResult[]> {
    const owners = await Promise.all(batches.map((batch) => this.subjects[trust].resolveOwner(ws, batch, policy)));
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
    return owners.map((owner) => (owner === undefined ? 'unknown' : owner === 'rejected' ? owner : 'taken'));
  }
}
