import type { AfterErasurePolicy } from '@opendsr-service/contracts';
import { setCallerClass, unauthorized } from '@opendsr-service/edge';
import type { Workspace } from '@opendsr-service/workspaces';
import type { FastifyRequest } from 'fastify';
import type { TrustLevel } from '../identities/subject';

export interface Caller {
  readonly ws: string;
  readonly key: string;
  readonly policy: AfterErasurePolicy;
  readonly trust: TrustLevel;
  readonly kind: string;
}

const callers = new WeakMap<object, Caller>();

export const callerBy = (key: string, { ws, afterErasure, class: kind }: Workspace): Caller => ({
  ws,
  key,
  policy: afterErasure,
  trust: 'verified',
  kind,
});

/** A caller that knows only the public key. A 403 would reveal an erasure, so `reject` becomes `drop`. */
export function callerByKeyAlone(key: string, workspace: Workspace): Caller {
  const caller = callerBy(key, workspace);
  return { ...caller, trust: 'unverified', policy: caller.policy === 'reject' ? 'drop' : caller.policy };
}

export function admit(http: FastifyRequest, caller: Caller): void {
  setCallerClass(http, caller.kind);
  callers.set(http, caller);
}

export const admittedCaller = (http: FastifyRequest): Caller | undefined => callers.get(http);

export function callerOf(http: FastifyRequest): Caller {
  const caller = callers.get(http);
  if (!caller) throw unauthorized();
  return caller;
}
