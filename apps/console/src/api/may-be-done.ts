import { asProblem } from './problem';

/**
 * Whether a change that failed may have happened: no answer came, the page could not read it, or it says that the service, a
 * part of it, or a proxy did not get an answer in time. A refusal is certain.
 */
export function mayBeDone(error: unknown): boolean {
  const { status } = asProblem(error);
  return status <= 0 || status >= 500;
}
