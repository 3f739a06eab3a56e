import { randomUUID } from 'node:crypto';
import { gone } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { RequestDocument } from '../../admission/request.document';
import { sealOperatorReason } from '../../admission/sealing';
import type { OperatorAction, OperatorEntry } from '../../audit/audit-entry';
import type { AuditStore } from '../../audit/audit.store';
import type { Decision } from './decision';

interface DecisionNotesParts {
  readonly audit: Pick<AuditStore, 'add'>;
  readonly vault: Pick<Vault, 'key'>;
  readonly clock: Clock;
}

interface What extends Pick<OperatorAction, 'action' | 'delivery' | 'participant' | 'approvedBy'> {
  /** The time of the decision, where it has one before it is noted. */
  readonly at?: Date;
}

export const reasonLost = (): Error => gone('Its key no longer exists, so the reason cannot be kept.');

/** The audit trail of what operators decide about requests, each reason sealed under the key of the request. */
export class DecisionNotes {
  constructor(private readonly parts: DecisionNotesParts) {}

  /** Call it before the decision is done. Durable when it resolves. Throws a 410 where the key of the request is destroyed. */
  async note(
    { ws, srid, subject: by, role, reason, requestId }: Decision,
    request: RequestDocument,
    what: What,
  ): Promise<OperatorEntry> {
    const id = randomUUID();
    const sealed = await sealOperatorReason(this.parts.vault, request, { entryId: id, reason });
    if (sealed === undefined) throw reasonLost();
    const entry = { ws, srid, by, role, reason: sealed, at: this.parts.clock.now(), requestId, ...what };
    await this.parts.audit.add(id, entry);
    return { _id: id, ...entry };
  }
}
