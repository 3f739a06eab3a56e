import { createSecretKey, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDatabase } from '@opendsr-service/storage/testing';
import type { GenerationSecrets } from './generation-secrets';
import { KEY_CACHE_MS } from './key-cache-ms';
import { openKeys, openKeyService, type KeyServiceOptions } from './open-keys';
import { KeyRotation } from './rotation.worker';
import { Vault } from './vault';

const DAY_MS = 86_400_000;
const place = { ws: 'acme', subject: '475974fa-6b42-4370-bb56-b5d845686bb5', field: 'identities' };

const tombstones = { available: true, publish: () => Promise.resolve() };
/** What passes before the steps of a rotation; the first one has no turn. */
const FIRST_ROTATION = [KEY_CACHE_MS, DAY_MS];
const ROTATION = [7 * DAY_MS, ...FIRST_ROTATION];

const key = `t-${randomBytes(4).toString('hex')}`;
/** The keys that the contract asks the service for, by their use. */
export const TRIED_KEYS = { one: key, rotated: `${key}-rotated`, shared: `${key}-shared` };

/** Options for a service that runs: with a key of this name, and with credentials that it refuses. */
interface TriedKeyService {
  options(key: string): KeyServiceOptions;
  refused(key: string): KeyServiceOptions;
  /** What it can never have sealed. */
  readonly notSealed: string;
}

/** What a key service does for the master key and for generations. `tried` is asked once the hooks of the spec have run. */
export function keyServiceContract(tried: () => TriedKeyService): void {
  const masterKey = createSecretKey(randomBytes(32));
  const generations = async (of = masterKey, name = key) =>
    (await openKeyService(tried().options(name))).generationsOf(of);
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'key-service-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('opens the sealed master key of every process, and seals no key twice alike', async () => {
    const bytes = masterKey.export();
    const service = await openKeyService(tried().options(key));
    const [sealed, again] = [await service.seal(bytes), await service.seal(bytes)];
    expect(sealed).not.toBe(again);
    const masterKeyFile = join(folder, 'master.key');
    writeFileSync(masterKeyFile, `${sealed}\n`);
    const opened = await openKeys({ masterKeyFile, service: tried().options(key) });
    expect(opened.masterKey.export()).toEqual(bytes);
    writeFileSync(masterKeyFile, tried().notSealed);
    await expect(openKeys({ masterKeyFile, service: tried().options(key) })).rejects.toMatchObject({
      kind: 'key-service',
    });
  });

  it('keeps one secret for each generation, until it is destroyed for good', async () => {
    const [one, other] = [await generations(), await generations()];
    const bytes = async (of: GenerationSecrets, generation: number) => (await of.read(generation))?.export();
    expect(await bytes(one, 2)).toBeUndefined();
    await Promise.all([one.create(2), other.create(2), one.create(3)]);
    const secret = await bytes(one, 2);
    expect(secret).toHaveLength(32);
    expect(await bytes(other, 2)).toEqual(secret);
    expect(await bytes(one, 3)).not.toEqual(secret);
    await one.create(2);
    expect(await bytes(one, 2)).toEqual(secret);
    await one.destroy(2);
    await other.destroy(2);
    expect(await bytes(other, 2)).toBeUndefined();
    await one.create(2);
    expect(await bytes(one, 2)).not.toEqual(secret);
  });

  it('says that credentials are refused, and never that a secret does not exist', async () => {
    const refused = (await openKeyService(tried().refused(key))).generationsOf(masterKey);
    for (const attempt of [() => refused.read(3), () => refused.create(3), () => refused.destroy(3)])
      await expect(attempt()).rejects.toMatchObject({ kind: 'key-service' });
  });

  /** A vault on a database of its own, with generations of this service. */
  async function installation(name: string) {
    const time = { now: Date.parse('2026-01-01T00:00:00Z') };
    const clock = () => time.now;
    const database = embeddedDatabase('keys');
    const [connection, own] = [await database.open(), createSecretKey(randomBytes(32))];
    const secrets = await generations(own, name);
    const process = () => new Vault(connection, own, clock, { tombstones, generations: secrets });
    const rotation = new KeyRotation(connection, own, { everyMs: 7 * DAY_MS, keepMs: DAY_MS, secrets, clock });
    const rotate = async (steps: readonly number[]) => {
      for (const ms of steps) {
        time.now += ms;
        while ((await rotation.runOnce()) > 0);
      }
    };
    const vault = process();
    await vault.ready();
    return { connection, vault, process, rotate, close: () => database.close() };
  }

  it('ends the keys that were wrapped under a generation with it', async () => {
    const { connection, vault, process, rotate, close } = await installation(TRIED_KEYS.rotated);
    const [kept, destroyed] = [await vault.newKey('acme', 'subject'), await vault.newKey('acme', 'subject')];
    const copy = await connection.collection<{ _id: string }>('dataKeys').findOne({ _id: destroyed.kid });
    await vault.destroy('acme', destroyed.kid, 'subject');
    await rotate([...FIRST_ROTATION, ...ROTATION]);
    await connection.collection<{ _id: string }>('dataKeys').insertOne({ ...copy, _id: destroyed.kid });
    const other = process();
    await expect(other.key('acme', destroyed.kid)).rejects.toMatchObject({ kind: 'key-unreadable' });
    expect((await other.key('acme', kept.kid))?.open(place, kept.seal(place, 'x')).toString()).toBe('x');
    await close();
  });

  it('keeps the secrets of two installations apart that use one key', async () => {
    const [one, other] = [await installation(TRIED_KEYS.shared), await installation(TRIED_KEYS.shared)];
    const kept = await other.vault.newKey('acme', 'subject');
    await one.rotate([...FIRST_ROTATION, ...ROTATION]);
    expect(await one.vault.isGenerationGone(2)).toBe(true);
    const restarted = other.process();
    await restarted.ready();
    expect((await restarted.key('acme', kept.kid))?.open(place, kept.seal(place, 'x')).toString()).toBe('x');
    await one.close();
    await other.close();
  });
}
