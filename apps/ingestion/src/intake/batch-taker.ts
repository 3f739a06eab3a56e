import type { Vault } from '@opendsr-service/vault';
import type { Standing, SubjectsByStanding } from '../identities/subject';
import type { Batch } from './batch';
import type { Caller } from './caller';
import type { Intake } from './intake';

/** What became of a sound batch. One that the policy drops counts as taken; `unknown`: its mpid is nobody's, and it names nobody else. */
export type Taken = 'taken' | 'rejected' | 'unknown';

type SourceRequest = (named: { readonly key: string; readonly mpid: string; readonly id: string }) => string[];

/** Apart, and by the public key alone for each person, or everybody who knows that key could make batches of others count as repeats. */
const SOURCE_REQUEST: Readonly<Record<Standing, SourceRequest>> = {
  verified: ({ key, id }) => ['source-request', key, id],
  unverified: ({ key, mpid, id }) => ['unverified-source-request', key, mpid, id],
};

/** Finds out whose the batches of a call are and gives them to the log together. */
export class BatchTaker {
  constructor(
    private readonly subjects: SubjectsByStanding,
    private readonly intake: Intake,
    private readonly vault: Pick<Vault, 'index'>,
  ) {}

  /** Rejects where one of them could not be dealt with for the moment; then none was given to the log by this call. */
  async take({ ws, key, policy, standing }: Caller, batches: readonly Batch[]): Promise<Taken[]> {
    const owners = await Promise.all(batches.map((batch) => this.subjects[standing].ownerOf(ws, batch, policy)));
    const index = await this.vault.index(ws);
    const owned = batches.flatMap(({ body, sourceRequestId }, n) => {
      const subject = owners[n];
      if (typeof subject !== 'object') return [];
      return {
        subject,
        body,
        ...(sourceRequestId !== undefined && {
          sourceRequest: index.hash(...SOURCE_REQUEST[standing]({ key, mpid: subject.mpid, id: sourceRequestId })),
        }),
      };
    });
    await this.intake.batches(ws, owned);
    return owners.map((owner) => (owner === undefined ? 'unknown' : owner === 'rejected' ? owner : 'taken'));
  }
}
