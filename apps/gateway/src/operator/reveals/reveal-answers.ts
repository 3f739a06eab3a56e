import type { Shape } from '@opendsr-service/contracts';
import { timeOf } from '@opendsr-service/operator-answers';
import type { Identified } from './identities.store';
import { cursorOf } from '../lists/cursor';
import type { ListedReveal } from './operator-reveals';
import type { OPERATOR_REVEAL, REVEALED_IDENTITIES } from './reveal-schemas';

/** Names the list of wishes in its cursors. */
export const REVEALS_ORDER = 'reveals';

export const identifiedAnswer = (
  { ws, srid }: Readonly<Record<'ws' | 'srid', string>>,
  { identities, group, hosts, extensionReason, decisions = [] }: Identified,
): Shape<typeof REVEALED_IDENTITIES> => ({
  workspace: ws,
  subject_request_id: srid,
  identities: identities.map(({ type, value }) => ({ identity_type: type, identity_value: value })),
  group_id: group ?? null,
  callback_hosts: [...hosts],
  extension_reason: extensionReason ?? null,
  decisions: decisions.map(({ action, at, by, reason }) => ({ action, time: at.toISOString(), by, reason })),
});

export const revealAnswer = ({ wish, reason }: ListedReveal): Shape<typeof OPERATOR_REVEAL> => ({
  id: wish._id,
  workspace: wish.ws,
  subject_request_id: wish.srid,
  state: wish.state,
  asked_by: wish.askedBy,
  asked_role: wish.askedRole,
  asked_time: wish.askedAt.toISOString(),
  reason,
  approved_by: wish.approvedBy ?? null,
  approved_time: timeOf(wish.approvedAt),
  ends_time: wish.endsAt.toISOString(),
});

export function revealListAnswer(found: readonly ListedReveal[], limit: number) {
  const last = found.length === limit ? found.at(-1)?.wish : undefined;
  return {
    reveals: found.map(revealAnswer),
    next_cursor: last ? cursorOf(REVEALS_ORDER, { at: last.askedAt, id: last._id }) : null,
  };
}
