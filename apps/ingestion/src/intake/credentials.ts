import { forbidden, hasBody, pathOf, unauthorized } from '@opendsr-service/edge';
import type { Clock } from '@opendsr-service/service';
import { parseBasic, type Workspace, type Workspaces } from '@opendsr-service/workspaces';
import type { FastifyRequest } from 'fastify';
import { admit, callerBy, callerByKeyAlone, type Caller } from './caller';
import { isOpenToKeyAlone } from './paths';
import type { IntakeRules } from './rules';
import { hmacOf, isSignatureForm, isTimely } from './signature';
import { expectSignedBody, proveSignature, type PendingSignature } from './signed-body';
import type { SignaturesStore } from './signatures.store';

export interface Gate {
  readonly workspaces: Pick<Workspaces, 'authenticate' | 'authenticateKey' | 'signer'>;
  readonly clock: Clock;
  readonly signatures: Pick<SignaturesStore, 'use' | 'freeInTime'>;
  readonly rules: Pick<IntakeRules, 'keyOnly' | 'signatureSkewMs'>;
}

const SCOPE = 'ingest';
const MAX_KEY_LENGTH = 256;
/** A signature is stored for longer than a process with another clock accepts it. */
const SIGNATURE_KEPT_ON_MS = 60_000;

/** 401 for a missing header, 403 for a wrong one (protocol, "Events answer"). A signed call with a body is admitted later. */
export async function authenticate(http: FastifyRequest, gate: Gate): Promise<void> {
  if (http.headers.authorization !== undefined) return byBasic(http, http.headers.authorization, gate);
  if (headerOf(http, 'x-mp-key') === undefined) throw unauthorized();
  if (headerOf(http, 'x-mp-signature') !== undefined) return bySignature(http, gate);
  if (!gate.rules.keyOnly || !isOpenToKeyAlone(http.routeOptions.url ?? '')) throw forbidden();
  return byKey(http, gate);
}

async function byBasic(http: FastifyRequest, authorization: string, { workspaces }: Gate): Promise<void> {
  const given = parseBasic(authorization);
  if (!given) throw forbidden();
  admit(http, callerBy(given.key, proven(await workspaces.authenticate(given.key, given.secret, SCOPE))));
}

async function byKey(http: FastifyRequest, { workspaces }: Gate): Promise<void> {
  const key = keyOf(http);
  admit(http, callerByKeyAlone(key, proven(await workspaces.authenticateKey(key, SCOPE))));
}

async function bySignature(http: FastifyRequest, gate: Gate): Promise<void> {
  const promised = await pendingSignature(http, gate);
  if (hasBody(http.raw)) expectSignedBody(http, promised);
  // Fastify does not read a body that is not announced.
  else await proveSignature(http, promised, gate.signatures);
}

async function pendingSignature(http: FastifyRequest, { workspaces, clock, rules }: Gate): Promise<PendingSignature> {
  const date = headerOf(http, 'date');
  if (date === undefined) throw unauthorized();
  const [key, signature] = [keyOf(http), headerOf(http, 'x-mp-signature') ?? ''];
  if (!isSignatureForm(signature) || !isTimely(date, clock.now(), rules.signatureSkewMs)) throw forbidden();
  const { secret, workspace, failed } = await workspaces.signer(key, SCOPE);
  const path = pathOf(http.url);
  const until = new Date(Date.parse(date) + rules.signatureSkewMs + SIGNATURE_KEPT_ON_MS);
  const caller = async (): Promise<Caller | undefined> => {
    const whose = await workspace();
    return whose && callerBy(key, whose);
  };
  return { caller, signature, until, failed, hmac: hmacOf(secret, { method: http.method, date, path }) };
}

function proven(found: Workspace | string): Workspace {
  if (typeof found === 'string') throw forbidden();
  return found;
}

function keyOf(http: FastifyRequest): string {
  const key = headerOf(http, 'x-mp-key') ?? '';
  if (key === '' || key.length > MAX_KEY_LENGTH) throw forbidden();
  return key;
}

/** Node joins repeated headers of these names, so they are never lists. */
function headerOf(http: FastifyRequest, name: string): string | undefined {
  const value = http.headers[name];
  return typeof value === 'string' ? value : undefined;
}
