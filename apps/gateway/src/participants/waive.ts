import { TOPICS, type EncodedMessage } from '@opendsr-service/contracts';
import type { MasterSeal } from '@opendsr-service/vault';
import { waiverReport, type Waiver } from '@opendsr-service/workspaces';
import { startWaits, type RequestDocument } from '../admission/request.document';

interface WaiveParts {
  readonly seal: MasterSeal;
  readonly publish: (topic: string, message: EncodedMessage) => Promise<void>;
  /** Records who waives, before the waiver is published: every waiver in effect has an entry. */
  readonly note: () => Promise<void>;
}

/** `starting`: the event log has not recorded the start of the request yet. */
export type Waived = 'done' | 'starting';

/** Waives a participant of the request for an operator. Null: the gateway does not know the request. A repeat counts once. */
export async function waive(
  { seal, publish, note }: WaiveParts,
  request: Pick<RequestDocument, 'outbox'> | null,
  waiver: Waiver,
): Promise<Waived> {
  // The request service parks a waiver that it reads before the start.
  if (request && startWaits(request)) return 'starting';
  await note();
  await publish(TOPICS.participantReports.name, waiverReport(seal, waiver));
  return 'done';
}
