import { TOPICS } from '@opendsr-service/contracts';
import { conflict, gone, notFound } from '@opendsr-service/edge';
import type { Publisher } from '@opendsr-service/messaging';
import type { Vault } from '@opendsr-service/vault';
import type { Identified } from './identities.store';
import type { AdmissionsStore } from '../../admission/admissions.store';
import type { RequestDocument } from '../../admission/request.document';
import { publishAcknowledged } from '../../admission/publish-acknowledged';
import { openOperatorReason } from '../../admission/sealing';
import { auditedLeaf } from '../../evidence/audited-leaves';
import type { Decision } from '../decisions/decision';
import type { DecisionNotes } from '../decisions/decision-notes';
import type { RevealDocument, RevealState } from './reveal.document';
import type { RevealsStore } from './reveals.store';

interface OperatorRevealsParts {
  readonly requests: Pick<AdmissionsStore, 'find' | 'findKey'>;
  readonly reveals: RevealsStore;
  readonly notes: Pick<DecisionNotes, 'note'>;
  readonly publisher: Pick<Publisher, 'publish' | 'available'>;
  readonly vault: Pick<Vault, 'key' | 'leafKey'>;
  /** As `dsr requests show --identities` does. Undefined: the key is destroyed. */
  readonly identities: (ws: string, srid: string) => Promise<Identified | undefined>;
  /** Whether a second person must approve. */
  readonly needsApproval: boolean;
}

/** `identified`: whom the request is about. `awaited`: the wish that somebody else must approve. */
type RevealAnswer = { readonly identified: Identified } | { readonly awaited: RevealDocument };

/** A wish as those see it who may approve. `reason` is null once the key of the request is destroyed. */
export interface ListedReveal {
  readonly wish: RevealDocument;
  readonly reason: string | null;
}

const identitiesGone = (): Error => gone('The key of the request is destroyed: nobody can read whom it was about.');

/** Shows whom requests are about: after an entry of the audit trail, and a leaf of the transparency log that proves it. */
export class OperatorReveals {
  constructor(private readonly parts: OperatorRevealsParts) {}

  /** Throws a 404, a 410 where the key is destroyed, and a 503 where the wish cannot be recorded. */
  async reveal(decision: Decision): Promise<RevealAnswer> {
    const { ws, srid, subject: askedBy } = decision;
    const request = await this.request(ws, srid);
    if (!this.parts.needsApproval) return { identified: await this.show(decision, request) };
    const wishes = await this.parts.reveals.ofAsker({ ws, srid, askedBy });
    const approved = wishes.find(({ state }) => state === 'approved');
    if (approved) return { identified: await this.show(decision, request, approved) };
    return { awaited: wishes[0] ?? (await this.ask(decision, request)) };
  }

  /** Throws a 404 for a wish that is unknown, over, or of a workspace that `decisionIn` refuses, and a 409 for one's own. */
  async approve(id: string, decisionIn: (wish: RevealDocument) => Decision | undefined): Promise<RevealDocument> {
    const wish = await this.parts.reveals.find(id);
    const decision = wish && decisionIn(wish);
    if (!wish || !decision) throw notFound();
    if (wish.askedBy === decision.subject) throw conflict('Somebody else must approve.');
    if (wish.state !== 'open') throw conflict('It was approved before.');
    const request = await this.request(wish.ws, wish.srid);
    await this.parts.notes.note(decision, request, { action: 'identities-reveal-approved' });
    if (!(await this.parts.reveals.approve(wish, decision.subject))) throw conflict('It was approved before.');
    return (await this.parts.reveals.find(id)) ?? wish;
  }

  async list(state: RevealState, of: Parameters<RevealsStore['list']>[1]): Promise<readonly ListedReveal[]> {
    const wishes = await this.parts.reveals.list(state, of);
    return Promise.all(wishes.map((wish) => this.withReason(wish)));
  }

  /** With why it was asked for. */
  async withReason(wish: RevealDocument): Promise<ListedReveal> {
    const key = await this.parts.requests.findKey(wish.ws, wish.srid);
    const { entryId, sealed } = wish.reason;
    const reason = key && (await openOperatorReason(this.parts.vault, key, { entryId, reason: sealed }));
    return { wish, reason: reason ?? null };
  }

  private async ask(decision: Decision, request: RequestDocument): Promise<RevealDocument> {
    const { _id, ws, srid, by, role, reason, at } = await this.parts.notes.note(decision, request, {
      action: 'identities-reveal-asked',
    });
    return this.parts.reveals.add({
      ...{ _id, ws, srid, askedBy: by, askedRole: role, askedAt: at },
      reason: { entryId: _id, sealed: reason },
    });
  }

  private async show(decision: Decision, request: RequestDocument, approved?: RevealDocument): Promise<Identified> {
    const { ws, srid } = decision;
    const { approvedBy } = approved ?? {};
    const { _id, ...entry } = await this.parts.notes.note(decision, request, {
      action: 'identities-revealed',
      ...(approvedBy !== undefined && { approvedBy }),
    });
    const leaf = auditedLeaf(_id, { ...entry, action: 'identities-revealed' }, this.parts.vault.leafKey);
    await publishAcknowledged(this.parts.publisher, TOPICS.evidenceLeaves.name, leaf);
    if (approved && !(await this.parts.reveals.use(approved))) throw conflict('The approval was used before.');
    const identified = await this.parts.identities(ws, srid);
    if (!identified) throw identitiesGone();
    return identified;
  }

  private async request(ws: string, srid: string): Promise<RequestDocument> {
    const request = await this.parts.requests.find(ws, srid);
    if (!request) throw notFound();
    return request;
  }
}
