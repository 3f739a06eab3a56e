/** Why a projection cannot be compared or written, for the operator. */
export class ProjectionError extends Error {
  override readonly name = 'ProjectionError';
}
