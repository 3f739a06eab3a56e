/** Why a process cannot start, in one line for the operator. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
  readonly holdsNoValues = true;
}
