import {
  EXTENSION_STATUSES,
  type ParticipantExtension,
  type Shape,
  type StartingParticipants,
} from './messages/schema';

/** `extensions` of a status record and of a callback (protocol, "extensions in status and callback"). */
export const INTERFACE_EXTENSIONS = {
  type: ['array', 'null'],
  description: 'How the shares of outside participants stand, one element for each; null where none takes part.',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['domain', 'name', 'status', 'status_message'],
    properties: {
      domain: { type: 'string', description: 'Domain of the participant.' },
      name: { type: 'string', description: 'Name under which the participant is registered.' },
      status: {
        type: 'string',
        enum: EXTENSION_STATUSES,
        description: '`sent` once the participant has done its share, or passed it on.',
      },
      status_message: { type: ['string', 'null'], description: 'A line for people, as the participant wrote it.' },
    },
  },
} as const;

/** Undefined: no outside participant takes part. */
export function startingExtensions(participants: StartingParticipants): readonly ParticipantExtension[] | undefined {
  const outside = participants.flatMap(({ name, domain }) =>
    domain === undefined ? [] : [{ domain, name, status: 'pending', statusMessage: null } as const],
  );
  return outside.length > 0 ? outside : undefined;
}

/** In the words of the interface; null: no outside participant takes part. */
export const toInterfaceExtensions = (
  extensions: readonly ParticipantExtension[] = [],
): Shape<typeof INTERFACE_EXTENSIONS> =>
  extensions.length === 0
    ? null
    : extensions.map(({ domain, name, status, statusMessage }) => ({
        domain,
        name,
        status,
        status_message: statusMessage,
      }));
