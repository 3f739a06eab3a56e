import type { Readable } from 'node:stream';
import { type ApiError, errorOfStatus } from './api-error';
import type { CallLimiter } from './call-limiter';
import type { HttpLimits } from './limits';

/** As how many bytes a smaller piece counts: to read it costs more than its bytes do. */
const LEAST_PIECE_BYTES = 32;
/** How many times the limit of a body its pieces may count together. */
const MOST_TIMES = 2;
const FIRST_BYTES = 1_024;
const NOTHING = Buffer.alloc(0);

interface Reading {
  readonly mostBytes: number;
  /** Undefined: it comes in chunks. */
  readonly announcedBytes: number | undefined;
  /** Whether it is one of the bodies that have a limit together. */
  readonly isLimited: boolean;
}

interface Arriving {
  heldBytes: number;
  readonly refuse: (error: ApiError) => void;
}

type Done = (error: Error | undefined, body?: Buffer) => void;

/** Reads bodies, each into one buffer: pieces that are kept until the end take hundreds of bytes each. */
export class BodyReader {
  /** The oldest first. */
  private readonly arriving = new Set<Arriving>();
  private heldBytes = 0;

  constructor(
    private readonly limits: Pick<HttpLimits, 'bodiesBytes'>,
    private readonly calls: Pick<CallLimiter, 'refuse'>,
  ) {}

  read(payload: Readable, { mostBytes, announcedBytes, isLimited }: Reading, done: Done): void {
    let body: Buffer = NOTHING;
    let [bytes, countedBytes] = [0, 0];
    const end = (error?: Error): void => {
      payload.off('data', take).off('end', end).off('error', fail);
      this.release(own);
      if (error) done(error);
      else done(undefined, body.subarray(0, bytes));
    };
    // As Fastify does: without a status it would be a failure of ours.
    const fail = (error: Error): void => {
      end(Object.assign(error, { statusCode: 400 }));
    };
    const own: Arriving = { heldBytes: 0, refuse: end };
    const take = (piece: Buffer): void => {
      const neededBytes = bytes + piece.length;
      countedBytes += Math.max(piece.length, LEAST_PIECE_BYTES);
      if (neededBytes > mostBytes || countedBytes > MOST_TIMES * mostBytes) {
        end(errorOfStatus(413));
        return;
      }
      if (neededBytes > body.length) body = grown(body, neededBytes, announcedBytes ?? mostBytes);
      piece.copy(body, bytes);
      bytes = neededBytes;
      if (isLimited) this.hold(own, body.length);
    };
    payload.on('data', take).on('end', end).on('error', fail).resume();
  }

  /** Beyond the limit the body that has been arriving for the longest time makes room: those who hold bodies back do not refuse others. */
  private hold(own: Arriving, bytes: number): void {
    this.arriving.add(own);
    this.heldBytes += bytes - own.heldBytes;
    own.heldBytes = bytes;
    for (const oldest of this.arriving) {
      if (this.heldBytes <= this.limits.bodiesBytes) return;
      oldest.refuse(this.calls.refuse());
    }
  }

  private release(own: Arriving): void {
    if (this.arriving.delete(own)) this.heldBytes -= own.heldBytes;
  }
}

function grown(body: Buffer, neededBytes: number, mostBytes: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(neededBytes, Math.min(mostBytes, Math.max(FIRST_BYTES, 2 * body.length))));
  body.copy(larger);
  return larger;
}
