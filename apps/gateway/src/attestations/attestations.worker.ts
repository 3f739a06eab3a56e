import type { Publisher } from '@opendsr-service/messaging';
import { DueSignal, type Clock, type Logger } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { RequestDocument } from '../admission/request.document';
import type { EvidenceLeaves } from '../evidence/evidence-leaves';
import type { LeavesStore } from '../evidence/leaves.store';
import { attestationLeafId, type AttestationDocument } from '../evidence/attestation.document';
import { attestationOf, hasDestroyedKeys, type AttestedRequest } from './attestation-of';
import type { AttestationCounts } from './attestation-counts';
import type { AttestationsStore } from '../evidence/attestations.store';
import type { Attester, Unsigned } from './attester';
import type { UnattestedStore } from './unattested.store';

const PAGE = 100;
/** Beyond this, requests wait until they are due for every process. */
const MAX_WAITING = 10_000;

type Address = Pick<RequestDocument, 'ws' | 'srid'>;

export interface AttestationsParts {
  readonly requests: UnattestedStore;
  readonly attestations: AttestationsStore;
  readonly attester: Attester;
  readonly leaves: Pick<LeavesStore, 'idsAmong'>;
  readonly evidenceLeaves: Pick<EvidenceLeaves, 'readAgain'>;
  readonly vault: Pick<Vault, 'lastGeneration'>;
  readonly publisher: Pick<Publisher, 'available'>;
  readonly counts: Pick<AttestationCounts, 'made'>;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * Attests requests that have ended: stores the signed statement, puts it on the log, then marks the request (decision 27).
 * The insert decides, so a process that comes late signs for nothing and puts on the log what stands.
 */
export class AttestationsWorker {
  /** Ended by an event that this process applied; for a minute it alone attests them (`attestAt`). */
  private readonly waiting: Address[] = [];
  /** Says that an end waits here. */
  readonly signal = new DueSignal();

  constructor(private readonly parts: AttestationsParts) {}

  add({ ws, srid }: Address): void {
    if (this.waiting.length < MAX_WAITING) this.waiting.push({ ws, srid });
    this.signal.due();
  }

  /** One page; resolves with the number of requests that are attested now. */
  async runOnce(): Promise<number> {
    const { requests, attester, publisher, counts } = this.parts;
    if (!publisher.available) return 0;
    const page = await this.page();
    const standing = await this.standing(page);
    await attester.publish(standing);
    await requests.attested(standing);
    counts.made(1, standing.length);
    return standing.length;
  }

  private async page(): Promise<readonly AttestedRequest[]> {
    const { requests, clock } = this.parts;
    const added = this.waiting.splice(0, PAGE);
    return added.length > 0 ? requests.find(added) : requests.findDue(clock.now(), PAGE);
  }

  /** The attestations of these requests as they stand for ever. */
  private async standing(page: readonly AttestedRequest[]): Promise<readonly AttestationDocument[]> {
    const { attestations, attester } = this.parts;
    const first = page.map(({ ws, srid }) => ({ ws, srid, statement: 1 }));
    const known = await attestations.findAll(first);
    const { unsigned, back } = await this.unsignedOf(page, known);
    return [...known, ...back, ...(await attestations.keep(await attester.sign(unsigned)))];
  }

  private async unsignedOf(
    page: readonly AttestedRequest[],
    known: readonly AttestationDocument[],
  ): Promise<{ readonly unsigned: readonly Unsigned[]; readonly back: readonly AttestationDocument[] }> {
    const isKnown = new Set(known.map(({ _id }) => _id));
    const without = page.filter(({ _id }) => !isKnown.has(_id));
    const { logged, back } = await this.logged(without);
    const fresh = without.filter((request) => !logged.has(leafIdOf(request)));
    const generation = fresh.some(hasDestroyedKeys) ? await this.parts.vault.lastGeneration() : undefined;
    return { unsigned: fresh.map((request) => unsignedOf(request, generation)), back };
  }

  /**
   * A copy of the database may hold the leaf of an attestation and not the attestation. It is read from the log again, and
   * never signed a second time.
   */
  private async logged(
    page: readonly AttestedRequest[],
  ): Promise<{ readonly logged: ReadonlySet<string>; readonly back: readonly AttestationDocument[] }> {
    const { leaves, evidenceLeaves, attestations, requests, log } = this.parts;
    const logged = new Set(await leaves.idsAmong(page.map(leafIdOf)));
    if (logged.size === 0) return { logged, back: [] };
    await evidenceLeaves.readAgain();
    const missing = page.filter((request) => logged.has(leafIdOf(request)));
    const back = await attestations.findAll(missing.map(({ ws, srid }) => ({ ws, srid, statement: 1 })));
    const lost = missing.filter((request) => !back.some(({ _id }) => _id === request._id));
    if (lost.length > 0) {
      log.error({ count: lost.length }, 'An attestation is in the log, and its envelope is lost');
      // The audit names them; another read of the whole topic would find no more.
      await requests.attested(lost);
    }
    return { logged, back };
  }
}

const leafIdOf = ({ ws, srid }: Address): string => attestationLeafId({ ws, srid, statement: 1 });

function unsignedOf(request: AttestedRequest, last: number | undefined): Unsigned {
  const { ws, srid, receipt, history } = request;
  const generation = hasDestroyedKeys(request) ? last : undefined;
  return { ws, srid, attestation: attestationOf(request, last), subjects: { receipt, events: history }, generation };
}
