import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Generations } from './generations.store';
import type { RootKeys } from './root-keys.store';

const KEY_BYTES = 32;
const MAX_DERIVED = 10_000;
/** Without generations: a random key for each workspace, wrapped by the master key and stored. */
const STORED = 1;

interface WorkspaceKey {
  /** The generation, by which the key is found again. */
  readonly by: number;
  readonly key: KeyObject;
}

/** The keys that wrap data keys: one for each workspace and generation, derived from the secret of the generation. */
export class WorkspaceKeys {
  /** Keyed by the secret, so that derived keys end with it. */
  private readonly derived = new WeakMap<KeyObject, LRUCache<string, KeyObject>>();

  constructor(
    private readonly roots: RootKeys,
    private readonly generations?: Generations,
  ) {}

  /** For new data keys. Ask `isCurrent` once they are stored. */
  async current(ws: string): Promise<WorkspaceKey> {
    if (!this.generations) return { by: STORED, key: await this.roots.findOrCreate(storedId(ws)) };
    for (;;) {
      const by = await this.generations.current();
      const key = await this.find(ws, by);
      if (key) return { by, key };
      // The generation ended a moment ago, or the database is a copy of before its end: `ready` refuses that.
      if (await this.generations.isCurrent(by)) throw this.generations.lostError(by);
    }
  }

  async isCurrent(by: number): Promise<boolean> {
    return this.generations ? this.generations.isCurrent(by) : true;
  }

  /** Undefined if the generation is destroyed, or the stored key is lost. */
  async find(ws: string, by: number): Promise<KeyObject | undefined> {
    if (by === STORED) return this.roots.find(storedId(ws));
    const secret = await this.generations?.secret(by);
    return secret && this.derive(secret, ws);
  }

  /** Throws a VaultError `generation-lost` if the generation is in use and its secret does not exist. */
  async demandSecret(by: number): Promise<void> {
    const { generations } = this;
    if (!generations || by === STORED || by <= (await generations.read()).gone) return;
    if (!(await generations.secret(by))) throw generations.lostError(by);
  }

  private derive(secret: KeyObject, ws: string): KeyObject {
    const known = this.derived.get(secret) ?? new LRUCache<string, KeyObject>({ max: MAX_DERIVED });
    this.derived.set(secret, known);
    const derived =
      known.get(ws) ?? createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `workspace|${ws}`, KEY_BYTES)));
    known.set(ws, derived);
    return derived;
  }
}

const storedId = (ws: string): string => `workspace:${STORED}:${ws}`;
