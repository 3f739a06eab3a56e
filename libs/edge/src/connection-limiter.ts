import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { callerNetwork } from '@opendsr-service/contracts';
import { unavailable } from './api-error';
import { answerOnSocket } from './client-error';
import type { HttpLimits } from './limits';

export type RefusedFor = 'total' | 'address';

const RETRY_AFTER_SECONDS = 1;
/** Refused connections that get an answer at the same time. */
const MOST_ANSWERED = 100;

/**
 * Counts the connections of public listeners; refuses those beyond the limits with 503 before it reads from them, and
 * closes those on which an answer does not move.
 */
export class ConnectionLimiter {
  open = 0;
  readonly refused: Record<RefusedFor, number> = { total: 0, address: 0 };
  private readonly byAddress = new Map<string, number>();
  private answering = 0;

  /** `isProxy`: many callers share the address of a proxy, so it has no limit of its own. */
  constructor(
    private readonly limits: Pick<HttpLimits, 'connections' | 'connectionsPerAddress' | 'answerTimeoutMs'>,
    private readonly isProxy: (address: string) => boolean,
  ) {}

  guard(server: Server): void {
    // Node counts bytes that the caller takes as activity.
    server.timeout = this.limits.answerTimeoutMs;
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
