import { bundlePath, entriesOf, TILE_WIDTH, tilePath, tilesOf, type FilledTile } from '@opendsr-service/transparency';
import { CommandError } from '../command-error';

const WITHIN_MS = 30_000;
const AT_ONCE = 8;
/** A limited caller, or one of a service that is busy, waits at most so long, each time. */
const LONGEST_WAIT_MS = 60_000;
/** Where the answer names no wait, or none came. */
const WAIT_MS = 1_000;
const TRIES = 30;
/** Of calls that took all their time: a log that hangs does not answer sooner if it is asked more often. */
const HUNG_TRIES = 3;
/** Docs/errors.md, "Retry". */
const BUSY: ReadonlySet<number> = new Set([429, 503]);
/** Cosignatures come within a second or two of a checkpoint, which the next one may replace before. */
const CHECKPOINT_TRIES = 10;
const CHECKPOINT_WAIT_MS = 500;

/** Its times, as tests change them. */
interface Pace {
  readonly wait: (ms: number) => Promise<void>;
  readonly withinMs: number;
}

const PACE: Pace = {
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  withinMs: WITHIN_MS,
};

/** A call without what it asked for. Without `waitMs` a repeat would change nothing. */
interface Refused {
  readonly error: CommandError;
  readonly waitMs?: number;
  readonly isHung?: boolean;
}

/** A transparency log as everyone reads it (C2SP tlog-tiles). */
export class PublicLog {
  private readonly base: string;
  /** An address that never did may be a wrong one, and is not asked again. */
  private hasAnswered = false;

  /** `url`: the public address of the service. */
  constructor(
    url: string,
    private readonly isCosigned: (checkpoint: string) => boolean,
    private readonly pace: Pace = PACE,
  ) {
    this.base = `${url.replace(/\/$/, '')}/transparency`;
  }

  /** The newest one; one that is cosigned, where that comes soon. */
  async checkpoint(): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      const checkpoint = (await this.read('checkpoint')).toString('utf8');
      if (attempt === CHECKPOINT_TRIES || this.isCosigned(checkpoint)) return checkpoint;
      await this.pace.wait(CHECKPOINT_WAIT_MS);
    }
  }

  /** All entries of a tree of this size, in order. */
  async *entries(size: number): AsyncGenerator<readonly Buffer[]> {
    const widths = Array.from({ length: Math.ceil(size / TILE_WIDTH) }, (_, index) =>
      Math.min(TILE_WIDTH, size - index * TILE_WIDTH),
    );
    for (let first = 0; first < widths.length; first += AT_ONCE) {
      const bundles = widths.slice(first, first + AT_ONCE).map((width, n) => this.bundle(first + n, width));
      yield* await Promise.all(bundles);
    }
  }

  /** All tiles of hashes of a tree of this size. */
  async *tiles(size: number): AsyncGenerator<FilledTile> {
    const tiles = tilesOf(size);
    for (let first = 0; first < tiles.length; first += AT_ONCE)
      yield* await Promise.all(
        tiles.slice(first, first + AT_ONCE).map(async (tile) => ({ ...tile, hashes: await this.read(tilePath(tile)) })),
      );
  }

  private async bundle(index: number, width: number): Promise<readonly Buffer[]> {
    const path = bundlePath({ index, width });
    const entries = entriesOf(await this.read(path));
    if (entries?.length !== width) throw new CommandError(`${this.base}/${path} does not hold ${width} entries`);
    return entries;
  }

  private async read(path: string): Promise<Buffer> {
    let hung = 0;
    for (let attempt = 1; ; attempt++) {
      const answer = await this.ask(path);
      if (Buffer.isBuffer(answer)) return answer;
      if (answer.isHung) hung += 1;
      if (answer.waitMs === undefined || attempt === TRIES || hung === HUNG_TRIES) throw answer.error;
      await this.pace.wait(Math.min(answer.waitMs, LONGEST_WAIT_MS));
    }
  }

  private async ask(path: string): Promise<Buffer | Refused> {
    const signal = AbortSignal.timeout(this.pace.withinMs);
    try {
      const answer = await fetch(`${this.base}/${path}`, { signal, redirect: 'error' });
      this.hasAnswered = true;
      if (answer.status === 200) return Buffer.from(await answer.arrayBuffer());
      await answer.body?.cancel();
      const error = new CommandError(`${this.base}/${path} answers ${answer.status}`);
      return BUSY.has(answer.status) ? { error, waitMs: waitAskedFor(answer) } : { error };
    } catch (cause) {
      const error = new CommandError(`${this.base} cannot be reached`, { cause });
      return this.hasAnswered ? { error, waitMs: WAIT_MS, isHung: signal.aborted } : { error };
    }
  }
}

function waitAskedFor({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? 1_000 * seconds : WAIT_MS;
}
