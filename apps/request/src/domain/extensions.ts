import type { ParticipantExtension, ParticipantStatus } from '@opendsr-service/contracts';
import { ofParticipant, type RequestState } from './state';

/** The interface knows no `completed` here (protocol-notes, "`extensions` in status and callback"). */
const SHOWN_STATUS: Readonly<Record<ParticipantStatus, ParticipantExtension['status']>> = {
  completed: 'sent',
  sent: 'sent',
  skipped: 'skipped',
  failed: 'failed',
};

/**
 * What an event says about the outside participants: all of them, as they stand after it. Nothing where none takes part,
 * so that the status record and callbacks show null.
 */
export function shownExtensions({
  outside,
  reported,
  messages,
}: Pick<RequestState, 'outside' | 'reported' | 'messages'>): { readonly extensions?: readonly ParticipantExtension[] } {
  if (outside.length === 0) return {};
  const extensions = outside.map(({ domain, name }): ParticipantExtension => {
    const status = ofParticipant(reported, name);
    return {
      domain,
      name,
      status: status === undefined ? 'pending' : SHOWN_STATUS[status],
      statusMessage: ofParticipant(messages, name) ?? null,
    };
  });
  return { extensions };
}
