export const OPERATOR_ROOT = '/operator/v1';

/** Routes of the operator's API, judged by path or pattern. */
export const isOperatorPath = (path: string): boolean => path === '/operator' || path.startsWith('/operator/');

/** Where browsers begin and end a sign-in; they need no credentials. */
export const SIGN_IN_PATH = `${OPERATOR_ROOT}/sign-in`;
export const CALLBACK_PATH = `${SIGN_IN_PATH}/callback`;
export const LINK_PATH = `${SIGN_IN_PATH}/link`;

/** The route that shows whom a request is about, which has a limit of its own. */
export const IDENTITIES_ROUTE = `${OPERATOR_ROOT}/requests/:ws/:srid/identities`;
