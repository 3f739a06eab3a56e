import type { BundleParts } from '@opendsr-service/contracts';
import {
  bundleOf,
  readCheckpoint,
  readNote,
  readTilePath,
  StoredTree,
  TILE_WIDTH,
  widthIn,
  type EntryBundle,
  type TileSource,
} from '@opendsr-service/transparency';
import { LRUCache } from 'lru-cache';
import type { CheckpointStore } from './checkpoint.store';
import type { LeavesStore } from './leaves.store';
import type { Cosigned } from './witnesses.store';

/** About 50 MiB. */
const KEPT_BUNDLES = 1_000;

const sizeOf = (note: string | undefined): number => readCheckpoint(readNote(note ?? '')?.text ?? '')?.size ?? 0;

/** The parts of a bundle that prove a leaf. */
export type Inclusion = Omit<BundleParts, 'envelope'>;

/** The transparency log as everyone reads it: what its newest checkpoint covers, and nothing beyond. */
export class PublishedLog {
  private readonly bundles = new LRUCache<number, Buffer>({ max: KEPT_BUNDLES });
  private knownSize = 0;

  constructor(
    private readonly head: Pick<CheckpointStore, 'read'>,
    private readonly leaves: Pick<LeavesStore, 'entries' | 'find' | 'addedAt'>,
    private readonly tiles: TileSource,
    private readonly witnesses: { readonly cosigned: () => Promise<readonly Cosigned[]> },
  ) {}

  /** The newest one, with the cosignatures that it has by now. Undefined before the first one. */
  async checkpoint(): Promise<string | undefined> {
    const { note } = (await this.head.read()) ?? {};
    if (note === undefined) return undefined;
    this.knownSize = Math.max(this.knownSize, sizeOf(note));
    return withCosignatures(note, await this.witnesses.cosigned());
  }

  /** How many leaves the newest checkpoint covers. */
  async size(): Promise<number> {
    return sizeOf(await this.checkpoint());
  }

  /** Since when the oldest leaf waits that no checkpoint covers. */
  async oldestUncovered(): Promise<Date | undefined> {
    return this.leaves.addedAt((await this.head.read())?.size ?? 0);
  }

  /** The bytes of a tile or of a bundle of entries, by what follows `tile/` in its path. They never change. */
  async tile(path: string): Promise<Buffer | undefined> {
    const tile = readTilePath(path);
    if (!tile) return undefined;
    const level = tile.level === 'entries' ? 0 : tile.level;
    if (!(await this.covers({ ...tile, level }))) return undefined;
    return tile.level === 'entries' ? this.bundle(tile) : this.tiles.tile({ ...tile, level });
  }

  /**
   * Where a leaf stands, and the proof that a checkpoint covers it; undefined while none does. Who keeps it will not ask
   * again, so of all these checkpoints it is the one with most cosignatures: the newest has none in its first moments.
   */
  async inclusionOf(id: string): Promise<Inclusion | undefined> {
    const reads = [this.leaves.find(id), this.head.read(), this.witnesses.cosigned()] as const;
    const [leaf, head, cosigned] = await Promise.all(reads);
    const newest = head?.note;
    if (!leaf || newest === undefined || leaf.index >= sizeOf(newest)) return undefined;
    const note = mostCosigned(newest, cosigned, leaf.index);
    const inclusion = await new StoredTree(sizeOf(note), this.tiles).inclusionProof(leaf.index);
    const checkpoint = withCosignatures(note, cosigned);
    return { index: leaf.index, entry: Buffer.from(leaf.entry), inclusion, checkpoint };
  }

  private async bundle({ index, width }: EntryBundle): Promise<Buffer> {
    const first = index * TILE_WIDTH;
    const kept = width === TILE_WIDTH ? this.bundles.get(index) : undefined;
    const bytes = kept ?? bundleOf(await this.leaves.entries(first, first + width));
    if (width === TILE_WIDTH) this.bundles.set(index, bytes);
    return bytes;
  }

  private async covers({ level, index, width }: Record<'level' | 'index' | 'width', number>): Promise<boolean> {
    if (widthIn(this.knownSize, level, index) >= width) return true;
    await this.checkpoint();
    return widthIn(this.knownSize, level, index) >= width;
  }
}

const linesBelow = (note: string, cosigned: readonly Cosigned[]): string[] =>
  cosigned.filter((one) => one.note === note).map(({ cosignature }) => cosignature);

const withCosignatures = (note: string, cosigned: readonly Cosigned[]): string =>
  [note, ...linesBelow(note, cosigned)].join('');

/** Of the newest checkpoint and the cosigned ones that cover a leaf: the one with most cosignatures, then the newest. */
function mostCosigned(newest: string, cosigned: readonly Cosigned[], index: number): string {
  const covering = cosigned
    .map(({ note }) => note)
    .filter((note) => sizeOf(note) > index && sizeOf(note) <= sizeOf(newest) && hasSameKey(note, newest));
  return [newest, ...covering].reduce((best, note) => {
    const more = linesBelow(note, cosigned).length - linesBelow(best, cosigned).length;
    return more > 0 || (more === 0 && sizeOf(note) > sizeOf(best)) ? note : best;
  });
}

/** The verifier key that readers have is that of the newest checkpoint: an earlier one may be of a key that was replaced. */
function hasSameKey(note: string, newest: string): boolean {
  const [one, other] = [note, newest].map((text) => readNote(text)?.signatures[0]);
  return one !== undefined && other !== undefined && one.name === other.name && one.id.equals(other.id);
}
