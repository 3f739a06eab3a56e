/** Why a projection cannot be compared or written, in one line for the operator. */
export class ProjectionError extends Error {
  override readonly name = 'ProjectionError';
}
