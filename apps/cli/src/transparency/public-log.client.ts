import { bundlePath, entriesOf, TILE_WIDTH, tilePath, tilesOf, type FilledTile } from '@opendsr-service/transparency';
import { CommandError } from '../command-error';

const WITHIN_MS = 30_000;
const AT_ONCE = 8;
/** A limited caller waits at most so long, each time. */
const LONGEST_WAIT_MS = 60_000;
const TRIES = 30;
/** Cosignatures come within a second or two of a checkpoint, which the next one may replace before. */
const CHECKPOINT_TRIES = 10;
const CHECKPOINT_WAIT_MS = 500;

type Wait = (ms: number) => Promise<void>;

/** A transparency log as everyone reads it (C2SP tlog-tiles). */
export class PublicLog {
  private readonly base: string;

  /** `url`: the public address of the service. */
  constructor(
    url: string,
    private readonly isCosigned: (checkpoint: string) => boolean,
    private readonly wait: Wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  ) {
    this.base = `${url.replace(/\/$/, '')}/transparency`;
  }

  /** The newest one; one that is cosigned, where that comes soon. */
  async checkpoint(): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      const checkpoint = (await this.read('checkpoint')).toString('utf8');
      if (attempt === CHECKPOINT_TRIES || this.isCosigned(checkpoint)) return checkpoint;
      await this.wait(CHECKPOINT_WAIT_MS);
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
    for (let attempt = 1; ; attempt++) {
      const answer = await this.ask(path);
      if (answer.status === 200) return Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 429 || attempt === TRIES)
        throw new CommandError(`${this.base}/${path} answers ${answer.status}`);
      const seconds = Number(answer.headers.get('retry-after') ?? '1');
      await this.wait(Math.min(1_000 * (Number.isFinite(seconds) ? seconds : 1), LONGEST_WAIT_MS));
    }
  }

  private ask(path: string): Promise<Response> {
    return fetch(`${this.base}/${path}`, { signal: AbortSignal.timeout(WITHIN_MS), redirect: 'error' }).catch(
      (error: unknown) => {
        throw new CommandError(`${this.base} cannot be reached`, { cause: error });
      },
    );
  }
}
