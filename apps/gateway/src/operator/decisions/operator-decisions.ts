import { conflict, notFound, unavailable } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import type { Waiver, Workspaces } from '@opendsr-service/workspaces';
import type { Admissions } from '../../admission/admissions';
import type { RequestDocument } from '../../admission/request.document';
import type { LedgerEntry } from '../../callbacks/ledger-entry';
import type { RequestCallbacks } from '../../callbacks/request-callbacks';
import type { ExtendedDeadline, ExtensionRefusal, ExtensionWish } from '../../deadlines/extend-deadline';
import type { Waived } from '../../participants/waive';
import type { Decision } from './decision';
import { reasonLost, type DecisionNotes } from './decision-notes';

interface OperatorDecisionsParts {
  readonly admissions: Pick<Admissions, 'find' | 'cancel' | 'publishCommands'>;
  readonly callbacks: Pick<RequestCallbacks, 'replay'>;
  /** As `dsr requests extend` does. `note` is called before the decision. */
  readonly extend: (wish: ExtensionWish, note: () => Promise<void>) => Promise<ExtendedDeadline | ExtensionRefusal>;
  /** As `dsr participants waive` does. */
  readonly waive: (request: RequestDocument, waiver: Waiver, note: () => Promise<void>) => Promise<Waived>;
  readonly notes: Pick<DecisionNotes, 'note'>;
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

/** What operators decide by the API. The audit trail records each wish before it is done, its reason sealed. */
export class OperatorDecisions {
  constructor(private readonly parts: OperatorDecisionsParts) {}

  async extend(decision: Decision): Promise<void> {
    const { ws, srid, role, reason } = decision;
    const known = await this.parts.workspaces.get(ws);
    const request = await this.parts.admissions.find(ws, srid);
    if (!known || !request) throw notFound();
    const at = this.parts.clock.now();
    const wish = { ws, srid, reason, by: role, at, calendar: known.legal };
    const extended = await this.parts.extend(wish, async () => {
      await this.parts.notes.note(decision, request, { action: 'deadline-extension-asked', at });
    });
    if (typeof extended === 'string') throw REFUSALS[extended]();
  }

  async cancel(decision: Decision): Promise<void> {
    const { ws, srid } = decision;
    const request = await this.parts.admissions.find(ws, srid);
    if (!request) throw notFound();
    if (request.status !== 'pending') throw conflict('Only a pending request can be cancelled.');
    await this.parts.notes.note(decision, request, { action: 'request-cancel-asked' });
    await this.parts.admissions.publishCommands(await this.parts.admissions.cancel(ws, srid));
  }

  /** The callback as it was before. */
  async replay(decision: Decision, delivery: string): Promise<LedgerEntry> {
    const { ws, srid } = decision;
    const request = await this.parts.admissions.find(ws, srid);
    if (!request) throw notFound();
    await this.parts.notes.note(decision, request, { action: 'callback-replay-asked', delivery });
    return (await this.parts.callbacks.replay(ws, srid, delivery)).entry;
  }

  /** If the request no longer waits for the participant, this changes nothing. Throws a 503 until its start is on the event log. */
  async waive(decision: Decision, participant: string): Promise<void> {
    const { ws, srid, role: by } = decision;
    const request = await this.parts.admissions.find(ws, srid);
    if (!request?.extensions?.some(({ name }) => name === participant)) throw notFound();
    const at = this.parts.clock.now();
    const waiver = { ws, srid, participant, by, at };
    const waived = await this.parts.waive(request, waiver, async () => {
      await this.parts.notes.note(decision, request, { action: 'participant-waiver-asked', participant, at });
    });
    if (waived === 'starting') throw unavailable(RETRY_AFTER_SECONDS);
  }
}
