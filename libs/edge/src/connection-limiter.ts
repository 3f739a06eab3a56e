import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { callerNetwork } from '@opendsr-service/contracts';
import { unavailable } from './api-error';
import { answerOnSocket } from './client-error';
import type { HttpLimits } from './limits';

/** Why a connection was refused: all that are held are too many, or those of its address. */
export type RefusedFor = 'total' | 'address';

const RETRY_AFTER_SECONDS = 1;
/** So many refused connections at the same time are told why; each lingers for a moment, and beyond that they are closed without a word. */
const MOST_ANSWERED = 100;

/**
 * Counts the connections of the listeners that it guards, and refuses those beyond the limits with 503 before
 * anything is read from them.
 */
export class ConnectionLimiter {
  /** How many connections are held. */
  open = 0;
  /** How many were refused since the process began. */
  readonly refused: Record<RefusedFor, number> = { total: 0, address: 0 };
  private readonly byAddress = new Map<string, number>();
  private answering = 0;

  /** `isProxy`: whether an address is that of a proxy of ours. Many callers share it, so that it has no limit of its own. */
  constructor(
    private readonly limits: Pick<HttpLimits, 'connections' | 'connectionsPerAddress'>,
    private readonly isProxy: (address: string) => boolean,
  ) {}

  /** Stands before what Node does with a connection. Call it once for each server, before it listens. */
  guard(server: Server): void {
    const serve = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      const address = callerNetwork(socket.remoteAddress ?? '');
      const reason = this.refusalReason(socket.remoteAddress ?? '', address);
      if (reason) {
        this.refuse(socket, reason);
        return;
      }
      this.track(socket, address);
      for (const listener of serve) Reflect.apply(listener, server, [socket]);
    });
  }

  private refusalReason(remote: string, address: string): RefusedFor | undefined {
    const { connections, connectionsPerAddress } = this.limits;
    if (this.open >= connections) return 'total';
    const isFull = connectionsPerAddress > 0 && (this.byAddress.get(address) ?? 0) >= connectionsPerAddress;
    return isFull && !this.isProxy(remote) ? 'address' : undefined;
  }

  private track(socket: Socket, address: string): void {
    this.open += 1;
    this.byAddress.set(address, (this.byAddress.get(address) ?? 0) + 1);
    socket.once('close', () => {
      this.open -= 1;
      const left = (this.byAddress.get(address) ?? 1) - 1;
      if (left > 0) this.byAddress.set(address, left);
      else this.byAddress.delete(address);
    });
  }

  private refuse(socket: Socket, reason: RefusedFor): void {
    this.refused[reason] += 1;
    socket.on('error', () => undefined);
    if (this.answering >= MOST_ANSWERED) {
      socket.destroy();
      return;
    }
    this.answering += 1;
    socket.once('close', () => void (this.answering -= 1)).resume();
    answerOnSocket(socket, unavailable(RETRY_AFTER_SECONDS), 'dsr');
  }
}
