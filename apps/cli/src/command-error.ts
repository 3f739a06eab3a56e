/**
 * Why a command came to nothing, in words of ours: it repeats what the operator named, such as a file or an id, and
 * nothing of what is in there.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
