import type { ParticipantExtension, ParticipantStatus } from '@opendsr-service/contracts';
import { ofParticipant, type RequestState } from './state';

/** The interface has no `completed` here (protocol, "extensions in status and callback"). */
const SHOWN_STATUS: Readonly<Record<ParticipantStatus, ParticipantExtension['status']>> = {
  completed: 'sent',
  sent: 'sent',
  skipped: 'skipped',
  failed: 'failed',
};

/**
 * All outside participants as they stand after the event; nothing where none takes part, so that the interface shows
 * null.
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
