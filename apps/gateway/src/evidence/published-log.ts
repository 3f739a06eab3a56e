import type { BundleParts } from '@opendsr-service/contracts';
import {
  bundleOf,
  HASH_BYTES,
  readCheckpoint,
  readNote,
  readTilePath,
  StoredTree,
  TILE_WIDTH,
  widthIn,
} from '@opendsr-service/transparency';
import { LRUCache } from 'lru-cache';
import type { CheckpointStore } from './checkpoint.store';
import type { LeavesStore } from './leaves.store';
import type { TilesStore } from './tiles.store';
import type { WitnessesStore } from './witnesses.store';

/** 8 MiB of full tiles, and as many bundles. */
const KEPT_TILES = 1_000;

const sizeOf = (note: string | undefined): number => readCheckpoint(readNote(note ?? '')?.text ?? '')?.size ?? 0;

/** The parts of a bundle that prove a leaf. */
export type Inclusion = Omit<BundleParts, 'envelope'>;

/** The transparency log as everyone reads it: what its newest checkpoint covers, and nothing beyond. */
export class PublishedLog {
  private readonly full = new LRUCache<string, Buffer>({ max: 2 * KEPT_TILES });
  private knownSize = 0;

  constructor(
    private readonly head: Pick<CheckpointStore, 'read'>,
    private readonly leaves: Pick<LeavesStore, 'entries' | 'find'>,
    private readonly tiles: Pick<TilesStore, 'tile'>,
    private readonly witnesses: Pick<WitnessesStore, 'cosignatures'>,
  ) {}

  /** The newest one, with the cosignatures that it has by now. Undefined before the first one. */
  async checkpoint(): Promise<string | undefined> {
    const { note } = (await this.head.read()) ?? {};
    if (note === undefined) return undefined;
    this.knownSize = Math.max(this.knownSize, sizeOf(note));
    return [note, ...(await this.witnesses.cosignatures(note))].join('');
  }

  /** How many leaves the newest checkpoint covers. */
  async size(): Promise<number> {
    return sizeOf(await this.checkpoint());
  }

  /** The bytes of a tile or of a bundle of entries, by what follows `tile/` in its path. They never change. */
  async tile(path: string): Promise<Buffer | undefined> {
    const tile = readTilePath(path);
    if (!tile) return undefined;
    const level = tile.level === 'entries' ? 0 : tile.level;
    if (!(await this.covers({ ...tile, level }))) return undefined;
    const kept = this.full.get(path);
    if (kept) return kept;
    const first = tile.index * TILE_WIDTH;
    const bytes =
      tile.level === 'entries'
        ? bundleOf(await this.leaves.entries(first, first + tile.width))
        : (await this.tiles.tile({ ...tile, level })).subarray(0, tile.width * HASH_BYTES);
    if (tile.width === TILE_WIDTH) this.full.set(path, bytes);
    return bytes;
  }

  /** Where a leaf stands, and the proof that the newest checkpoint covers it; undefined while none does. */
  async inclusionOf(id: string): Promise<Inclusion | undefined> {
    const [leaf, checkpoint] = [await this.leaves.find(id), await this.checkpoint()];
    const size = sizeOf(checkpoint);
    if (!leaf || checkpoint === undefined || leaf.index >= size) return undefined;
    const tree = new StoredTree(size, this.tiles);
    const inclusion = await tree.inclusionProof(leaf.index);
    return { index: leaf.index, entry: Buffer.from(leaf.entry), inclusion, checkpoint };
  }

  private async covers({ level, index, width }: Record<'level' | 'index' | 'width', number>): Promise<boolean> {
    if (widthIn(this.knownSize, level, index) >= width) return true;
    await this.checkpoint();
    return widthIn(this.knownSize, level, index) >= width;
  }
}
