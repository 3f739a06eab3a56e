import { randomUUID } from 'node:crypto';
import { conflict, gone, notFound, unavailable } from '@opendsr-service/edge';
import type { Role } from '@opendsr-service/operator-access';
import type { Clock } from '@opendsr-service/service';
import type { Vault } from '@opendsr-service/vault';
import type { Waiver, Workspaces } from '@opendsr-service/workspaces';
import type { Admissions } from '../../admission/admissions';
import type { RequestDocument } from '../../admission/request.document';
import { sealOperatorReason } from '../../admission/sealing';
import type { LedgerEntry } from '../../callbacks/ledger-entry';
import type { RequestCallbacks } from '../../callbacks/request-callbacks';
import type { ExtendedDeadline, ExtensionRefusal, ExtensionWish } from '../../deadlines/extend-deadline';
import type { OperatorAction, OperatorAuditStore } from '../../participants/operator-audit.store';

/** Who decides about which request, and why. */
export interface Decision {
  readonly ws: string;
  readonly srid: string;
  readonly subject: string;
  /** The role by which the caller may. The event log names it, and never the subject. */
  readonly role: Role;
  readonly reason: string;
  /** Id of the HTTP request. */
  readonly requestId: string;
}

export interface OperatorDecisionsParts {
  readonly admissions: Pick<Admissions, 'find' | 'cancel' | 'publishCommands'>;
  readonly callbacks: Pick<RequestCallbacks, 'replay'>;
  /** As `dsr requests extend` does. `note` is called before the decision. */
  readonly extend: (wish: ExtensionWish, note: () => Promise<void>) => Promise<ExtendedDeadline | ExtensionRefusal>;
  /** As `dsr participants waive` does. */
  readonly waive: (waiver: Waiver) => Promise<void>;
  readonly audit: Pick<OperatorAuditStore, 'add'>;
  readonly vault: Pick<Vault, 'key'>;
  readonly workspaces: Pick<Workspaces, 'get'>;
  readonly clock: Clock;
}

const RETRY_AFTER_SECONDS = 1;

const REFUSALS: Readonly<Record<ExtensionRefusal, () => Error>> = {
  unknown: notFound,
  ended: () => conflict('The request has ended.'),
  extended: () => conflict('Its legal date was extended before: the law allows it once.'),
  'no-legal-date': () => conflict('It has no legal date.'),
  past: () => conflict('Its legal date is over.'),
  'not-recorded': () => unavailable(RETRY_AFTER_SECONDS),
  unreadable: () => reasonLost(),
  busy: () => unavailable(RETRY_AFTER_SECONDS),
};

const reasonLost = (): Error => gone('Its key no longer exists, so the reason cannot be kept.');

/** What operators decide by the API. The audit trail records each wish before it is done, its reason sealed. */
export class OperatorDecisions {
  constructor(private readonly parts: OperatorDecisionsParts) {}

  async extend(decision: Decision): Promise<void> {
    const { ws, srid, role, reason } = decision;
    const known = await this.parts.workspaces.get(ws);
    const request = await this.parts.admissions.find(ws, srid);
    if (!known || !request) throw notFound();
    const wish = { ws, srid, reason, by: role, at: this.parts.clock.now(), calendar: known.legal };
    const extended = await this.parts.extend(wish, () =>
      this.note(decision, request, { action: 'deadline-extension-asked' }),
    );
    if (typeof extended === 'string') throw REFUSALS[extended]();
  }

  async cancel(decision: Decision): Promise<void> {
    const { ws, srid } = decision;
    const request = await this.parts.admissions.find(ws, srid);
    if (!request) throw notFound();
    if (request.status !== 'pending') throw conflict('Only a pending request can be cancelled.');
    await this.note(decision, request, { action: 'request-cancel-asked' });
    await this.parts.admissions.publishCommands(await this.parts.admissions.cancel(ws, srid));
  }

  /** The callback as it was before. */
  async replay(decision: Decision, delivery: string): Promise<LedgerEntry> {
    const { ws, srid } = decision;
    const request = await this.parts.admissions.find(ws, srid);
    if (!request) throw notFound();
    await this.note(decision, request, { action: 'callback-replay-asked', delivery });
    return (await this.parts.callbacks.replay(ws, srid, delivery)).entry;
  }

  /** If the request no longer waits for the participant, this changes nothing. */
  async waive(decision: Decision, participant: string): Promise<void> {
    const { ws, srid, role: by } = decision;
    const request = await this.parts.admissions.find(ws, srid);
    if (!request?.extensions?.some(({ name }) => name === participant)) throw notFound();
    await this.note(decision, request, { action: 'participant-waiver-asked', participant });
    await this.parts.waive({ ws, srid, participant, by, at: this.parts.clock.now() });
  }

  private async note(
    { ws, srid, subject: by, role, reason, requestId }: Decision,
    request: RequestDocument,
    what: Pick<OperatorAction, 'action' | 'delivery' | 'participant'>,
  ): Promise<void> {
    const id = randomUUID();
    const sealed = await sealOperatorReason(this.parts.vault, request, { entryId: id, reason });
    if (sealed === undefined) throw reasonLost();
    const at = this.parts.clock.now();
    await this.parts.audit.add(id, { ws, srid, by, role, reason: sealed, at, requestId, ...what });
  }
}
