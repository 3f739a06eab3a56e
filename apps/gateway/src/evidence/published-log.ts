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
import type { WitnessesStore } from './witnesses.store';

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
    private readonly leaves: Pick<LeavesStore, 'entries' | 'find'>,
    private readonly tiles: TileSource,
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
    return tile.level === 'entries' ? this.bundle(tile) : this.tiles.tile({ ...tile, level });
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
