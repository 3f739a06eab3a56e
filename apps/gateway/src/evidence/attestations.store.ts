import type { LeafAdded } from '@opendsr-service/contracts';
import { areDuplicates, declareCollection, DueTimes, type Claimed } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { attestationId, type AttestationDocument } from './attestation.document';

const PAGE = 100;
/** Longer than a page of signatures takes. */
const LEASE_MS = 60_000;

export type LoggedAttestation = LeafAdded & Required<Pick<LeafAdded, 'attestation'>>;

/** Attestations: the first that is stored of a request and a statement stands. Nothing removes one. */
export class AttestationsStore {
  private readonly attestations: Collection<AttestationDocument>;
  private readonly seconds: DueTimes<AttestationDocument>;

  constructor(connection: Connection) {
    this.attestations = declareCollection(connection, 'attestations', [
      { fields: { generation: 1, secondAt: 1 }, where: 'generation' },
    ]);
    this.seconds = new DueTimes(this.attestations, { due: 'secondAt', filter: ['ws'] });
  }

  async find(ws: string, srid: string, statement: number): Promise<AttestationDocument | undefined> {
    return (await this.attestations.findOne({ _id: attestationId({ ws, srid, statement }), ws })) ?? undefined;
  }

  async findAll(
    said: readonly Pick<AttestationDocument, 'ws' | 'srid' | 'statement'>[],
  ): Promise<AttestationDocument[]> {
    if (said.length === 0) return [];
    const ws = { $in: [...new Set(said.map((one) => one.ws))] };
    return this.attestations.find({ _id: { $in: said.map(attestationId) }, ws }).toArray();
  }

  /** Stores those that are not there yet; resolves with all as they stand. */
  async keep(made: readonly AttestationDocument[]): Promise<AttestationDocument[]> {
    if (made.length === 0) return [];
    try {
      const inserts = made.map((document) => ({ insertOne: { document } }));
      await this.attestations.bulkWrite(inserts, { ordered: false });
      return [...made];
    } catch (error) {
      if (!areDuplicates(error)) throw error;
      return this.findAll(made);
    }
  }

  /** What the log holds and this database lacks, such as an older copy. */
  async bringBack(logged: readonly LoggedAttestation[]): Promise<void> {
    await this.keep(logged.map(documentOf));
    const seconds = logged.filter(({ attestation: { statement } }) => statement > 1);
    await this.secondsMade(seconds.map(({ ws, attestation: { srid } }) => ({ ws, srid })));
  }

  /** The oldest generation whose end is still to be stated. */
  async oldestGeneration(): Promise<number | undefined> {
    const [oldest] = await this.attestations
      .find({ generation: { $exists: true } }, { sort: { generation: 1 }, limit: 1, projection: { generation: 1 } })
      .toArray();
    return oldest?.generation;
  }

  /** First statements whose keys were of this generation. */
  claimSeconds(generation: number, now: Date): Promise<Claimed<AttestationDocument>[]> {
    return this.seconds.claim(now, { limit: PAGE, leaseMs: LEASE_MS, where: { generation } });
  }

  /** The second statements are stored, and their leaves are on the log. */
  async secondsMade(of: readonly Pick<AttestationDocument, 'ws' | 'srid'>[]): Promise<void> {
    if (of.length === 0) return;
    await this.attestations.updateMany(
      {
        _id: { $in: of.map(({ ws, srid }) => attestationId({ ws, srid, statement: 1 })) },
        ws: { $in: [...new Set(of.map(({ ws }) => ws))] },
      },
      { $unset: { generation: 1, secondAt: 1, token: 1 } },
    );
  }
}

function documentOf({ ws, digest, at, attestation }: LoggedAttestation): AttestationDocument {
  const { srid, statement, envelope, generation } = attestation;
  const signedAt = new Date(at);
  return {
    ...{ _id: attestationId({ ws, srid, statement }), ws, srid, statement, envelope, digest, at: signedAt },
    ...(generation !== undefined && { generation, secondAt: signedAt }),
  };
}
