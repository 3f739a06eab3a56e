import type { Problem } from './problem';

const SESSION_PATH = '/operator/v1/session';
/** The token of the page is that of a session before: another tab signed in. */
export const FORGED_CALL = 'ForgedCallException';

/** Whether an answer shows that the session is not the one that the page knows. The call that reads it says so by itself. */
export const doubtsSession = (path: string, { status, reason }: Problem): boolean =>
  path !== SESSION_PATH && (status === 401 || (status === 403 && reason === FORGED_CALL));
