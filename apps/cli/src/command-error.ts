/** Why a command failed. The message may repeat what the operator named, such as a file or an id, but no content. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
