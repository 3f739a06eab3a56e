import type { AfterErasurePolicy } from '@opendsr-service/contracts';
import { setCallerClass, unauthorized } from '@opendsr-service/edge';
import type { Workspace } from '@opendsr-service/workspaces';
import type { FastifyRequest } from 'fastify';
import type { TrustLevel } from '../identities/subject';

/** Who calls, and what its workspace wants done with data of erased persons. */
export interface Caller {
  readonly ws: string;
  /** The API key it proved to have. */
  readonly key: string;
  readonly policy: AfterErasurePolicy;
  /** What its assertions are worth. */
  readonly trust: TrustLevel;
  /** The class of its workspace, for metrics. */
  readonly kind: string;
}

const callers = new WeakMap<object, Caller>();

/** Whoever has proved to have the secret of the key. */
export const callerBy = (key: string, { ws, afterErasure, class: kind }: Workspace): Caller => ({
  ws,
  key,
  policy: afterErasure,
  trust: 'verified',
  kind,
});

/** Whoever knows the key, as everybody may. A 403 would tell who was erased, so what is rejected is dropped. */
export function callerByKeyAlone(key: string, workspace: Workspace): Caller {
  const caller = callerBy(key, workspace);
  return { ...caller, trust: 'unverified', policy: caller.policy === 'reject' ? 'drop' : caller.policy };
}

/** From now on the request counts as this caller's. */
export function admit(http: FastifyRequest, caller: Caller): void {
  setCallerClass(http, caller.kind);
  callers.set(http, caller);
}

/** Who a request proved to come from, where it has already. */
export const admittedCaller = (http: FastifyRequest): Caller | undefined => callers.get(http);

/** Who a request proved to come from; 401 where it proved nothing. */
export function callerOf(http: FastifyRequest): Caller {
  const caller = callers.get(http);
  if (!caller) throw unauthorized();
  return caller;
}
