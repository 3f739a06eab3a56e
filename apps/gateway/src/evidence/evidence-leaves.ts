import type { KeyObject } from 'node:crypto';
import { evidenceLeaves, MalformedMessage, TOPICS, type LeafAdded } from '@opendsr-service/contracts';
import type { EventLog, LogRecord, Verdict } from '@opendsr-service/messaging';
import type { Clock, DueSignal } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import { attestationLeafId, digestOfEnvelope } from './attestation.document';
import type { AttestationsStore, LoggedAttestation } from './attestations.store';
import type { LeavesStore, NewLeafDocument, Place } from './leaves.store';
import { publicEntry } from './public-entry';

interface EvidenceLeavesParts {
  readonly leaves: LeavesStore;
  readonly attestations: Pick<AttestationsStore, 'bringBack'>;
  readonly vault: Pick<Vault, 'index' | 'leafKey'>;
  readonly events: Pick<EventLog, 'read'>;
  readonly clock: Clock;
  /** Says that leaves were appended, which no checkpoint covers yet. */
  readonly grown?: Pick<DueSignal, 'due'>;
}

type Positioned = Pick<LogRecord, 'offset' | 'value' | 'headers'>;

interface LoggedLeaf {
  readonly leaf: LeafAdded;
  readonly offset: string;
}

/** The partition of the topic, the only one. */
const PARTITION = '0';

/** Takes leaves from the log, in the order of its only partition, each once (decision 25). */
export class EvidenceLeaves {
  constructor(private readonly parts: EvidenceLeavesParts) {}

  /**
   * Durable when it resolves. A restored copy of the database lacks leaves that its group has read already: those come
   * first, or the order of the log would change. A record that is malformed, or that is not signed by the
   * installation, is parked aside, for people to look at: it blocks no leaf.
   */
  async take(records: readonly Positioned[]): Promise<readonly Verdict[]> {
    const last = await this.parts.leaves.last();
    const [first] = records;
    const isAhead = first !== undefined && BigInt(first.offset) > nextOffset(last);
    if (isAhead) await this.catchUp();
    const read = records.map((record) => decoded(record, this.parts.vault.leafKey));
    await this.append(read.filter(isLeaf), isAhead ? undefined : last);
    return read.map((one) => (isLeaf(one) ? 'done' : { park: one.malformed, aside: true }));
  }

  /** Reads what the database lacks, attestations too. */
  async catchUp(): Promise<void> {
    const from = nextOffset(await this.parts.leaves.last());
    await this.parts.events.read(TOPICS.evidenceLeaves.name, { [PARTITION]: String(from) }, (records) =>
      this.bringBack(records),
    );
  }

  /** For a database that lacks leaves or attestations though it should not: takes the whole topic again. */
  async readAgain(): Promise<void> {
    await this.parts.events.read(TOPICS.evidenceLeaves.name, {}, (records) => this.bringBack(records));
  }

  /** Attestations first: a leaf that is there is not read again. */
  private async bringBack(records: readonly Positioned[]): Promise<void> {
    const logged = leavesIn(records, this.parts.vault.leafKey);
    await this.parts.attestations.bringBack(attestedIn(logged));
    await this.append(logged);
  }

  private async append(logged: readonly LoggedLeaf[], after?: Place): Promise<void> {
    await this.parts.leaves.append(await Promise.all(logged.map((one) => this.leafOf(one))), after);
    if (logged.length > 0) this.parts.grown?.due();
  }

  private async leafOf({ leaf, offset }: LoggedLeaf): Promise<NewLeafDocument> {
    const pseudonym = (await this.parts.vault.index(leaf.ws)).hash('transparency', leaf.ws);
    return { _id: leaf.id, entry: publicEntry(leaf, pseudonym), offset, addedAt: this.parts.clock.now() };
  }
}

/** Stores the attestations of the whole topic that a copy of the database lacks. */
export const bringBackAttestations = async (
  events: Pick<EventLog, 'read'>,
  attestations: Pick<AttestationsStore, 'bringBack'>,
  leafKey: KeyObject,
): Promise<void> => {
  await events.read(TOPICS.evidenceLeaves.name, {}, (records) =>
    attestations.bringBack(attestedIn(leavesIn(records, leafKey))),
  );
};

interface Malformed {
  readonly malformed: string;
}

const nextOffset = (last: Pick<Place, 'offset'> | undefined): bigint => (last ? BigInt(last.offset) + 1n : 0n);

const isLeaf = (read: LoggedLeaf | Malformed): read is LoggedLeaf => 'leaf' in read;

const leavesIn = (records: readonly Positioned[], leafKey: KeyObject): LoggedLeaf[] =>
  records.map((record) => decoded(record, leafKey)).filter(isLeaf);

const attestedIn = (logged: readonly LoggedLeaf[]): LoggedAttestation[] =>
  logged.map(({ leaf }) => leaf).filter((leaf): leaf is LoggedAttestation => leaf.attestation !== undefined);

function decoded(record: Positioned, leafKey: KeyObject): LoggedLeaf | Malformed {
  try {
    const leaf = evidenceLeaves(leafKey).decode(record);
    return isOfItsEnvelope(leaf) ? { leaf, offset: record.offset } : { malformed: 'other-envelope' };
  } catch (error) {
    if (error instanceof MalformedMessage) return { malformed: error.reason };
    throw error;
  }
}

/** Whether an attestation is the one that the leaf proves. */
function isOfItsEnvelope({ id, ws, digest, attestation }: LeafAdded): boolean {
  if (!attestation) return true;
  const { srid, statement, envelope } = attestation;
  return id === attestationLeafId({ ws, srid, statement }) && digest === digestOfEnvelope(envelope);
}
