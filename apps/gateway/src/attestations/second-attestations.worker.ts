import { isStatementFault } from '@opendsr-service/contracts';
import type { Vault } from '@opendsr-service/vault';
import {
  attestationId,
  attestationLeafId,
  readStatement,
  type AttestationDocument,
  type Said,
} from '../evidence/attestation.document';
import type { Unsigned } from './attester';
import type { AttestingParts } from './attesting-parts';
import { broughtBack } from './lost-envelopes';

interface SecondAttestationsParts extends AttestingParts {
  readonly vault: Pick<Vault, 'isGenerationGone'>;
}

/** States that no copy of the destroyed keys opens any more, once their generation is gone (decisions 26 and 27). */
export class SecondAttestationsWorker {
  constructor(private readonly parts: SecondAttestationsParts) {}

  /** One page; resolves with their number. */
  async runOnce(): Promise<number> {
    const { attestations, vault, publisher, counts, clock } = this.parts;
    if (!publisher.available) return 0;
    const generation = await attestations.oldestGeneration();
    if (generation === undefined || !(await vault.isGenerationGone(generation))) return 0;
    const firsts = (await attestations.claimSeconds(generation, clock.now())).map(({ document }) => document);
    const standing = await this.stated(firsts);
    await attestations.secondsMade(firsts);
    counts.made(2, standing.length);
    return firsts.length;
  }

  /** The second statements as they stand for ever, all of them on the log. */
  private async stated(firsts: readonly AttestationDocument[]): Promise<readonly AttestationDocument[]> {
    const { attestations, attester, leaves } = this.parts;
    const logged = new Set(await leaves.idsAmong(firsts.map((first) => attestationLeafId(secondSaid(first)))));
    const isLogged = (first: AttestationDocument) => logged.has(attestationLeafId(secondSaid(first)));
    const back = await broughtBack(firsts.filter(isLogged).map(secondSaid), this.parts);
    const others = firsts.filter((first) => !isLogged(first));
    const known = await attestations.findAll(others.map(secondSaid));
    const isKnown = new Set(known.map(({ _id }) => _id));
    const fresh = others.filter((first) => !isKnown.has(attestationId(secondSaid(first))));
    const made = await attestations.keep(await attester.sign(fresh.flatMap((first) => this.secondOf(first))));
    await attester.publish([...known, ...made]);
    return [...back, ...known, ...made];
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

const secondSaid = ({ ws, srid }: AttestationDocument): Said => ({ ws, srid, statement: 2 });
