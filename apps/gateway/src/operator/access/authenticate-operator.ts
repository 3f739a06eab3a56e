import { ApiError, unavailable } from '@opendsr-service/edge';
import {
  IdentityProviderAway,
  isSame,
  NotProved,
  type IdentityProvider,
  type Sessions,
} from '@opendsr-service/operator-access';
import type { FastifyRequest } from 'fastify';
import { isWithin } from '../../versions/routes';
import { CHANGES_PATH } from '../../versions/operator-paths';
import { cookieOf, SESSION_COOKIE } from './cookies';
import { operatorUnknown, setOperator, type OperatorCaller } from './operator-caller';

/** A page says by it that nobody made the call by hand, so that it does not keep the session of a forgotten browser alive. */
export const BACKGROUND_HEADER = 'x-background';
export const CSRF_HEADER = 'x-csrf-token';
const RETRY_AFTER_SECONDS = 5;
const MOST_TOKEN_BYTES = 8_192;
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;
/** Browsers open a stream again by themselves, and with no header of their own. */
const isStream = isWithin([CHANGES_PATH]);
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];

export interface Proofs {
  readonly provider: Pick<IdentityProvider, 'ofBearer'> | undefined;
  readonly sessions: Pick<Sessions, 'use'>;
}

export const forgedCall = (): ApiError =>
  new ApiError(403, [
    {
      domain: 'Authentication',
      reason: 'ForgedCallException',
      message: `A change by a session needs the header ${CSRF_HEADER} with the token of the session.`,
    },
  ]);

/** By bearer token, else by the session of a cookie. A cookie goes along with forged calls, so a change needs a token as well. */
export async function authenticateOperator(http: FastifyRequest, proofs: Proofs): Promise<void> {
  const { authorization } = http.headers;
  const caller =
    authorization === undefined ? await ofSession(http, proofs) : await ofBearer(authorization, proofs.provider);
  setOperator(http, caller);
}

async function ofSession({ headers, method, url }: FastifyRequest, { sessions }: Proofs): Promise<OperatorCaller> {
  const secret = cookieOf(headers.cookie, SESSION_COOKIE);
  const background = headers[BACKGROUND_HEADER] !== undefined || isStream(url.split('?', 1)[0] ?? '');
  const session = secret === undefined ? undefined : await sessions.use(secret, { background });
  if (!session) throw operatorUnknown();
  const given = headers[CSRF_HEADER];
  if (!SAFE_METHODS.includes(method) && !(typeof given === 'string' && isSame(given, session.csrfToken)))
    throw forgedCall();
  return { subject: session.subject, grants: session.grants, session };
}

async function ofBearer(header: string, provider: Proofs['provider']): Promise<OperatorCaller> {
  const token = header.length > MOST_TOKEN_BYTES ? undefined : BEARER.exec(header)?.[1];
  if (token === undefined || !provider) throw operatorUnknown();
  return provider.ofBearer(token).catch((error: unknown) => {
    throw refusalOf(error);
  });
}

/** The answer to what the identity provider, or its silence, says. */
export function refusalOf(error: unknown): unknown {
  if (error instanceof NotProved) return operatorUnknown();
  return error instanceof IdentityProviderAway ? unavailable(RETRY_AFTER_SECONDS) : error;
}
