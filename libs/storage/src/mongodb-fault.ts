import mongoose from 'mongoose';
import { ConnectionFault, tlsFault, type ConnectionFaultKind } from './connection-fault';

const { mongo } = mongoose;
const serverKinds: Readonly<Record<number, ConnectionFaultKind>> = { 13: 'authorization', 18: 'authentication' };

interface Described {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  /** The last error of each server after a failed server selection. */
  readonly servers?: ReadonlyMap<string, { readonly error?: unknown }>;
}

/** The error and its causes; a failed server selection has one cause for each server. */
function* linksOf(error: unknown, depth = 6): Generator<Described> {
  if (depth === 0 || typeof error !== 'object' || error === null) return;
  const link: Described = error;
  yield link;
  for (const server of link.servers?.values() ?? []) yield* linksOf(server.error, depth - 1);
  yield* linksOf(link.cause, depth - 1);
}

function kindOf(link: Described): ConnectionFaultKind | undefined {
  if (link instanceof mongo.MongoServerError) return serverKinds[Number(link.code)];
  // The driver reports this only in its message.
  if (link instanceof mongo.MongoNetworkError && link.message.endsWith(' closed')) return 'hung-up';
  return tlsFault(link.code);
}

/** Why a reachable MongoDB refuses access; undefined for other errors, such as an outage. */
export function mongodbFault(error: unknown): ConnectionFault | undefined {
  for (const link of linksOf(error)) {
    const kind = kindOf(link);
    if (kind) return new ConnectionFault('MongoDB', kind, { cause: error });
  }
  return undefined;
}
