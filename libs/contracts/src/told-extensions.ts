import type { ParticipantExtension } from './messages/schema';

/** How the shares of outside participants stand, in the interface's words (protocol-notes, "`extensions` in status and callback"); null where none takes part. */
export const toldExtensions = (extensions: readonly ParticipantExtension[] = []) =>
  extensions.length === 0 ? null : extensions.map(({ domain, name, status, statusMessage }) => ({ domain, name, status, status_message: statusMessage }));
