import { createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { decrypt } from './cipher';
import { dataKey } from './data-key';
import { wrapAad, type DataKeyDocument } from './data-keys.store';
import { GenerationFiles } from './generation-files';
import { KEY_CACHE_MS } from './key-cache-ms';
import { MasterWrap, type RootKeyDocument } from './master-wrap';
import { KeyRotation } from './rotation.worker';
import { Vault } from './vault';
import type { KeysDatabase } from './vault.contract';

/** What a reader of copies finds in them. */
export interface Found {
  readonly dataKeys: readonly DataKeyDocument[];
  readonly rootKeys: readonly RootKeyDocument[];
}

export interface CopiedDatabase extends KeysDatabase {
  /** All copies that anybody may have taken until now: each version of each document that was ever written. */
  copies(connection: Connection): Promise<Found>;
}

const DAY_MS = 86_400_000;
const TIMES = { everyMs: 7 * DAY_MS, keepMs: DAY_MS };
const ws = 'acme';
const place = { ws, subject: '475974fa-6b42-4370-bb56-b5d845686bb5', field: 'identities' };
const tombstones = { available: true, publish: () => Promise.resolve() };

/** Everything that is found in copies, tried with every key that exists. */
class Reader {
  constructor(
    private readonly masterKey: KeyObject,
    private readonly folder: string,
  ) {}

  async opens(sealed: string, kid: string, { dataKeys, rootKeys }: Found): Promise<boolean> {
    const wrappers = [this.masterKey, ...this.roots(rootKeys), ...(await this.workspaceKeys())];
    const candidates = dataKeys.flatMap(({ _id, ws: of, by, wrapped }) =>
      wrappers.flatMap((wrapper) => decrypt(wrapper, wrapAad(of, _id, by), wrapped) ?? []),
    );
    return candidates.some((bytes) => {
      try {
        return dataKey(kid, createSecretKey(bytes)).open(place, sealed).toString() === 'planted';
      } catch {
        return false;
      }
    });
  }

  private roots(documents: readonly RootKeyDocument[]): KeyObject[] {
    return documents.map((document) => new MasterWrap(this.masterKey).open(document._id, document));
  }

  /** Of every file that is left in the folder, whatever its name. */
  private async workspaceKeys(): Promise<KeyObject[]> {
    const files = new GenerationFiles(this.folder, this.masterKey);
    const names = readdirSync(this.folder).map((name) => Number(/^generation-(\d+)\.key/.exec(name)?.[1]));
    const secrets = await Promise.all(names.map((generation) => files.read(generation)));
    return secrets.flatMap((secret) =>
      secret ? [createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `workspace|${ws}`, 32)))] : [],
    );
  }
}

/** Destroyed means destroyed, for any database. `create` returns an empty one. */
export function destroyedContract(name: string, create: () => CopiedDatabase): void {
  describe(`a destroyed key on ${name}`, () => {
    const time = { now: Date.parse('2026-01-01T00:00:00Z') };
    const clock = () => time.now;
    const masterKey = createSecretKey(randomBytes(32));
    const folder = mkdtempSync(join(tmpdir(), 'generations-'));
    const database = create();
    afterAll(async () => {
      await database.close();
      rmSync(folder, { recursive: true });
    });

    it('opens from no copy once its generation is gone, with every key that exists', async () => {
      const connection = await database.open();
      const secrets = new GenerationFiles(folder, masterKey);
      const rotation = new KeyRotation(connection, masterKey, { ...TIMES, secrets, clock });
      const rotate = async () => {
        for (const ms of [TIMES.everyMs, KEY_CACHE_MS, TIMES.keepMs]) {
          time.now += ms;
          while ((await rotation.runOnce()) > 0);
        }
      };
      const vault = new Vault(connection, masterKey, clock, { tombstones, generations: secrets });
      await vault.ready();
      await rotate();
      const reader = new Reader(masterKey, folder);
      const [key, other] = [await vault.newKey(ws, 'subject'), await vault.newKey(ws, 'subject')];
      // As it stands on topics, in backups and in every other database.
      const sealed = key.seal(place, 'planted');
      const before = await database.copies(connection);
      await rotate();
      const again = await database.copies(connection);
      await vault.destroy(ws, key.kid, 'subject');
      const generation = Number(await vault.lastGeneration());
      const taken = [...before.dataKeys, ...again.dataKeys];
      expect(await reader.opens(sealed, key.kid, { ...again, dataKeys: taken })).toBe(true);
      expect(await vault.isGenerationGone(generation)).toBe(false);
      const secretFile = readFileSync(join(folder, `generation-${generation}.key`));
      const kept = mkdtempSync(join(tmpdir(), 'kept-'));
      cpSync(folder, kept, { recursive: true });
      await rotate();
      expect(await vault.isGenerationGone(generation)).toBe(true);
      const after = await database.copies(connection);
      const all = [...taken, ...after.dataKeys];
      expect(all.filter(({ _id }) => _id === key.kid).length).toBeGreaterThan(1);
      expect(await reader.opens(sealed, key.kid, { ...after, dataKeys: all })).toBe(false);
      for (const file of readdirSync(folder)) expect(readFileSync(join(folder, file)).includes(secretFile)).toBe(false);
      // Only a copy of the old secret itself would open it: a backup of the folder counts as one of the keys.
      expect(await new Reader(masterKey, kept).opens(sealed, key.kid, { ...after, dataKeys: all })).toBe(true);
      rmSync(kept, { recursive: true });
      expect((await vault.key(ws, other.kid))?.kid).toBe(other.kid);
    });
  });
}
