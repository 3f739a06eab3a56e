export const OPERATOR_ROOT = '/operator/v1';

/** Routes of the operator's API, judged by path or pattern. */
export const isOperatorPath = (path: string): boolean => path === '/operator' || path.startsWith('/operator/');

/** Where browsers get the console. Its files need no credentials; what it shows comes from the API. */
export const CONSOLE_ROOT = '/console';

const CONSOLE_LINK_PATH = `${CONSOLE_ROOT}/sign-in`;

/** What the log of a sandbox says of its link. Browsers send what stands behind `#` to nobody, so that no log has it. */
export const consoleLinkLine = (url: string, token: string): string =>
  `console     ${url}${CONSOLE_LINK_PATH}#${token} (signs in once)`;

/** Routes of the console, and the one that leads to it. */
export const isConsolePath = (path: string): boolean =>
  path === '/' || path === CONSOLE_ROOT || path.startsWith(`${CONSOLE_ROOT}/`);

/** Where browsers begin and end a sign-in; they need no credentials. */
export const SIGN_IN_PATH = `${OPERATOR_ROOT}/sign-in`;
export const CALLBACK_PATH = `${SIGN_IN_PATH}/callback`;
export const LINK_PATH = `${SIGN_IN_PATH}/link`;

/** The stream of what changes. */
export const CHANGES_PATH = `${OPERATOR_ROOT}/changes`;

/** The route that shows whom a request is about, which has a limit of its own. */
export const IDENTITIES_ROUTE = `${OPERATOR_ROOT}/requests/:ws/:srid/identities`;
