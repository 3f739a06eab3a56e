import { isStatementFault } from '@opendsr-service/contracts';
import type { Publisher } from '@opendsr-service/messaging';
import type { Clock, Logger } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import { readStatement, type AttestationDocument } from '../evidence/attestation.document';
import type { AttestationCounts } from './attestation-counts';
import type { AttestationsStore } from '../evidence/attestations.store';
import type { Attester, Unsigned } from './attester';

export interface SecondAttestationsParts {
  readonly attestations: AttestationsStore;
  readonly attester: Attester;
  readonly vault: Pick<Vault, 'isGenerationGone'>;
  readonly publisher: Pick<Publisher, 'available'>;
  readonly counts: Pick<AttestationCounts, 'made'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'error'>;
}

/** States that no copy of the destroyed keys opens any more, once their generation is gone (decisions 26 and 27). */
export class SecondAttestationsWorker {
  constructor(private readonly parts: SecondAttestationsParts) {}

  /** One page; resolves with their number. */
  async runOnce(): Promise<number> {
    const { attestations, attester, vault, publisher, counts, clock } = this.parts;
    if (!publisher.available) return 0;
    const generation = await attestations.oldestGeneration();
    if (generation === undefined || !(await vault.isGenerationGone(generation))) return 0;
    const firsts = (await attestations.claimSeconds(generation, clock.now())).map(({ document }) => document);
    const known = await attestations.findAll(firsts.map(({ ws, srid }) => ({ ws, srid, statement: 2 })));
    const isKnown = new Set(known.map(({ srid, ws }) => `${ws}:${srid}`));
    const fresh = firsts.filter(({ _id }) => !isKnown.has(_id));
    const made = await attestations.keep(await attester.sign(fresh.flatMap((first) => this.secondOf(first))));
    await attester.publish([...known, ...made]);
    await attestations.secondsMade(firsts);
    counts.made(2, firsts.length);
    return firsts.length;
  }

  /** None follows a first one that cannot be read: it holds up no other. */
  private secondOf({ ws, srid, digest: previous, envelope }: AttestationDocument): readonly Unsigned[] {
    const statement = readStatement(envelope);
    if (isStatementFault(statement)) {
      this.parts.log.error({ ws, srid, reason: statement.kind }, 'A stored attestation cannot be read');
      return [];
    }
    const { attestation, subjects } = statement;
    const generationDestroyedAt = this.parts.clock.now().toISOString();
    const erasure = { secondPass: false, ...attestation.erasure, generationDestroyedAt };
    return [{ ws, srid, attestation: { ...attestation, statement: 2, previous, erasure }, subjects }];
  }
}
