import { requestKey } from '@opendsr-service/contracts';
import { DueSignal } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { EndedHere } from '../admission/ended-here';
import type { RequestDocument } from '../admission/request.document';
import { attestationLeafId, type AttestationDocument } from '../evidence/attestation.document';
import { attestationOf, hasDestroyedKeys, type AttestedRequest } from './attestation-of';
import type { Unsigned } from './attester';
import type { AttestingParts } from './attesting-parts';
import { broughtBack } from './lost-envelopes';
import type { UnattestedStore } from './unattested.store';

/** How many requests share queries and writes. */
export const ATTESTATIONS_PAGE = 100;
/** Beyond this, requests wait until they are due for every process. */
const MAX_WAITING = 10_000;

type Address = Pick<RequestDocument, 'ws' | 'srid'>;
type Ended = Address & Required<Pick<RequestDocument, 'history'>>;

interface Page {
  readonly requests: readonly AttestedRequest[];
  /** This process applied their ends. */
  readonly isOwn: boolean;
  /** Those of them that have an attestation, as far as it was asked. */
  readonly known: readonly AttestationDocument[];
}

interface AttestationsParts extends AttestingParts {
  readonly requests: UnattestedStore;
  readonly here: Pick<EndedHere, 'find' | 'attested'>;
  readonly vault: Pick<Vault, 'lastGeneration'>;
}

/**
 * Attests requests that have ended: stores the signed statement, puts it on the log, then marks the request (decision 27).
 * The insert decides, so a process that comes late signs for nothing and puts on the log what stands.
 */
export class AttestationsWorker {
  /** Ended by an event that this process applied; for two minutes it alone attests them (`attestAt`). */
  private readonly waiting: Ended[] = [];
  /** Says that an end waits here. */
  readonly signal = new DueSignal();

  constructor(private readonly parts: AttestationsParts) {}

  add({ ws, srid, history }: Ended): void {
    if (this.waiting.length < MAX_WAITING) this.waiting.push({ ws, srid, history });
    this.signal.due();
  }

  /** One page of own requests, and one of those that any process makes; resolves with how many are attested now. */
  async runOnce(): Promise<number> {
    if (!this.parts.publisher.available) return 0;
    const own = await this.attest(await this.ownPage());
    // Only then: who has much to do of its own leaves that to others.
    return own < ATTESTATIONS_PAGE ? own + (await this.attest(await this.duePage())) : own;
  }

  /** Leaves to every process, at once, what this one has not begun: it stops. */
  release(): Promise<void> {
    return this.parts.requests.release(this.waiting.splice(0), this.parts.clock.now());
  }

  private async attest(page: Page): Promise<number> {
    const { requests, attester, here, counts } = this.parts;
    if (page.requests.length === 0) return 0;
    const { standing, logged } = await this.standing(page);
    const unlogged = standing.filter((attestation) => !logged.has(attestationLeafId(attestation)));
    await attester.publish(unlogged);
    // What was due is noted at once, or it would be due again.
    await requests.attested(standing.filter(({ _id }) => !(page.isOwn && here.attested(_id))));
    counts.made(1, unlogged.length);
    return standing.length;
  }

  /** The insert finds those that another process has attested. It is rare, so they are not asked for. */
  private async ownPage(): Promise<Page> {
    const added = this.waiting.splice(0, ATTESTATIONS_PAGE);
    return { requests: await this.endedHere(added), isOwn: true, known: [] };
  }

  private async duePage(): Promise<Page> {
    const { requests, attestations, clock } = this.parts;
    const due = await requests.findDue(clock.now(), ATTESTATIONS_PAGE);
    return { requests: due, isOwn: false, known: await attestations.findAll(due.map(firstOf)) };
  }

  /** From memory where this process ended them, too. */
  private async endedHere(added: readonly Ended[]): Promise<readonly AttestedRequest[]> {
    const held = added.map(({ ws, srid, history }) => {
      const request = this.parts.here.find(requestKey(ws, srid));
      return request && { ...request, history };
    });
    const others = added.filter((_, n) => held[n] === undefined);
    return [...held.filter((request) => request !== undefined), ...(await this.parts.requests.find(others))];
  }

  /** The attestations of these requests as they stand for ever, and the ids of leaves that the log has already. */
  private async standing(
    page: Page,
  ): Promise<{ readonly standing: readonly AttestationDocument[]; readonly logged: ReadonlySet<string> }> {
    const { attestations, attester, leaves } = this.parts;
    const logged = new Set(await leaves.idsAmong(page.requests.map(leafIdOf)));
    const { unsigned, back } = await this.unsignedOf(page, logged);
    const signed = await attestations.keep(await attester.sign(unsigned));
    return { standing: [...page.known, ...back, ...signed], logged };
  }

  private async unsignedOf(
    { requests, known }: Page,
    logged: ReadonlySet<string>,
  ): Promise<{ readonly unsigned: readonly Unsigned[]; readonly back: readonly AttestationDocument[] }> {
    const isKnown = new Set(known.map(({ _id }) => _id));
    const without = requests.filter(({ _id }) => !isKnown.has(_id));
    const back = await this.broughtBack(without.filter((request) => logged.has(leafIdOf(request))));
    const fresh = without.filter((request) => !logged.has(leafIdOf(request)));
    const generation = fresh.some(hasDestroyedKeys) ? await this.parts.vault.lastGeneration() : undefined;
    return { unsigned: fresh.map((request) => unsignedOf(request, generation)), back };
  }

  private async broughtBack(missing: readonly AttestedRequest[]): Promise<readonly AttestationDocument[]> {
    const back = await broughtBack(missing.map(firstOf), this.parts);
    await this.parts.requests.attested(missing.filter((request) => !back.some(({ _id }) => _id === request._id)));
    return back;
  }
}

const firstOf = ({ ws, srid }: Address) => ({ ws, srid, statement: 1 });

const leafIdOf = ({ ws, srid }: Address): string => attestationLeafId(firstOf({ ws, srid }));

function unsignedOf(request: AttestedRequest, last: number | undefined): Unsigned {
  const { ws, srid, receipt, history } = request;
  const generation = hasDestroyedKeys(request) ? last : undefined;
  return { ws, srid, attestation: attestationOf(request, last), subjects: { receipt, events: history }, generation };
}
