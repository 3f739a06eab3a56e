/** Why a process cannot start, in one line for the person who started it. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
  readonly holdsNoValues = true;
}
