import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Faults, WRITES_BETWEEN_DEATHS } from '@opendsr-service/storage/testing';
import type { Connection } from 'mongoose';
import type { DataKey } from './data-key';
import type { DataKeyDocument } from './data-keys.store';
import { GenerationFiles } from './generation-files';
import type { GenerationSecrets } from './generation-secrets';
import { KEY_CACHE_MS } from './key-cache-ms';
import { KeyRotation, type RotationOptions } from './rotation.worker';
import { Vault } from './vault';
import type { KeysDatabase } from './vault.contract';

const DAY_MS = 86_400_000;
const LEASE_MS = 60_000;
const TIMES = { everyMs: 7 * DAY_MS, keepMs: DAY_MS };
const place = { ws: 'acme', subject: '475974fa-6b42-4370-bb56-b5d845686bb5', field: 'identities' };
const tombstones = { available: true, publish: () => Promise.resolve() };

/** Counts changes of secrets among the writes at which a process can die. */
const faulty = (secrets: GenerationSecrets, faults: Faults): GenerationSecrets => ({
  create: async (generation) => {
    faults.write();
    await secrets.create(generation);
  },
  read: (generation) => secrets.read(generation),
  destroy: async (generation) => {
    faults.write();
    await secrets.destroy(generation);
  },
});

/** Runs `before` ahead of one method of every collection. */
const hooked = (connection: Connection, method: string, before: () => Promise<unknown>): Connection =>
  new Proxy(connection, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (name !== 'collection') return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      return (collection: string) =>
        new Proxy(target.collection(collection), {
          get: (of, called) => {
            const real: unknown = Reflect.get(of, called, of);
            if (typeof real !== 'function') return real;
            if (called !== method) return real.bind(of) as unknown;
            return async (...args: unknown[]) => {
              await before();
              return Reflect.apply(real, of, args) as unknown;
            };
          },
        });
    },
  });

/** The rotation of workspace keys, for any database. `create` returns an empty one. */
export function rotationContract(name: string, create: () => KeysDatabase): void {
  describe(`the rotation of workspace keys on ${name}`, () => {
    const time = { now: 0 };
    const clock = () => time.now;
    const masterKey = createSecretKey(randomBytes(32));
    let folder: string;
    let database: KeysDatabase;
    let connection: Connection;
    let secrets: GenerationSecrets;
    const vaultOn = (on: Connection, key: KeyObject = masterKey) =>
      new Vault(on, key, clock, { tombstones, generations: secrets });
    const rotationOn = (on: Connection, given: Partial<RotationOptions> = {}) =>
      new KeyRotation(on, masterKey, { ...TIMES, secrets, clock, pageSize: 40, ...given });
    const stored = () => connection.collection<DataKeyDocument>('dataKeys').find({}).toArray();
    const hasSecret = (generation: number) => existsSync(join(folder, `generation-${generation}.key`));
    const ready = async () => {
      const vault = vaultOn(await database.open());
      await vault.ready();
      return vault;
    };
    const runDue = async (rotation: KeyRotation) => {
      while ((await rotation.runOnce()) > 0);
    };
    /** From the turn to the end of the old secret. */
    const rotate = async (rotation = rotationOn(connection)) => {
      time.now += TIMES.everyMs;
      await runDue(rotation);
      time.now += KEY_CACHE_MS;
      await runDue(rotation);
      time.now += TIMES.keepMs;
      await runDue(rotation);
    };
    const openAll = async (keys: readonly DataKey[], vault: Vault) =>
      Promise.all(
        keys.map(async (key) => (await vault.key('acme', key.kid))?.open(place, key.seal(place, 'x')).toString()),
      );

    beforeEach(async () => {
      time.now = Date.parse('2026-01-01T00:00:00Z');
      folder = mkdtempSync(join(tmpdir(), 'generations-'));
      secrets = new GenerationFiles(folder, masterKey);
      database = create();
      connection = await database.open();
      await (await ready()).ready();
      await rotate();
    });
    afterEach(async () => {
      await database.close();
      rmSync(folder, { recursive: true });
    });

    it('wraps every living key again, and then destroys the old secret', async () => {
      const vault = await ready();
      const keys = await Promise.all(Array.from({ length: 190 }, () => vault.newKey('acme', 'request')));
      await vault.newKey('other', 'subject');
      const before = await vault.lastGeneration();
      expect(new Set((await stored()).map(({ by }) => by))).toEqual(new Set([before]));
      await rotate();
      expect(new Set((await stored()).map(({ by }) => by))).toEqual(new Set([Number(before) + 1]));
      expect([hasSecret(Number(before)), hasSecret(Number(before) + 1)]).toEqual([false, true]);
      expect(await vault.isGenerationGone(Number(before))).toBe(true);
      expect(await vault.isGenerationGone(Number(before) + 1)).toBe(false);
      expect(new Set(await openAll(keys, await ready()))).toEqual(new Set(['x']));
    });

    it('does nothing before its time, and keeps the old secret as long as configured', async () => {
      const rotation = rotationOn(connection);
      const vault = await ready();
      const generation = Number(await vault.lastGeneration());
      time.now += TIMES.everyMs - TIMES.keepMs - KEY_CACHE_MS - 1;
      await runDue(rotation);
      expect(await vault.lastGeneration()).toBe(generation);
      expect(await rotation.dueInMs()).toBe(1);
      time.now += 1;
      await runDue(rotation);
      expect(await vault.lastGeneration()).toBe(generation + 1);
      time.now += TIMES.keepMs - 1;
      await runDue(rotation);
      expect(hasSecret(generation)).toBe(true);
      time.now += 1;
      await runDue(rotation);
      expect(hasSecret(generation)).toBe(false);
    });

    it('shows how far each pass is, by when the last handled key was made', async () => {
      for (let day = 0; day < 3; day += 1) {
        await (await ready()).newKey('acme', 'request');
        time.now += DAY_MS;
      }
      const rotation = rotationOn(connection, { everyMs: 4 * DAY_MS, pageSize: 1 });
      const percents: number[] = [];
      for (const ms of [0, KEY_CACHE_MS, TIMES.keepMs]) {
        time.now += ms;
        while ((await rotation.runOnce()) > 0) percents.push(Math.round((await rotation.passedRatio()) * 100));
      }
      expect([...new Set(percents)]).toEqual([0, 17, 33, 50, 62, 75, 100]);
    });

    it('follows a shorter time from the next step on', async () => {
      const generation = Number(await (await ready()).lastGeneration());
      await runDue(rotationOn(connection));
      const shorter = rotationOn(connection, { everyMs: DAY_MS });
      const turnedAt = time.now - KEY_CACHE_MS - TIMES.keepMs;
      time.now = turnedAt + 2 * DAY_MS;
      expect(await rotationOn(connection).runOnce()).toBe(0);
      expect(await shorter.dueInMs()).toBeLessThanOrEqual(0);
      await runDue(shorter);
      expect((await shorter.state()).current).toBe(generation + 1);
    });

    it('takes a secret that is out of reach for no altered key', async () => {
      const { kid } = await (await ready()).newKey('acme', 'request');
      const generations: GenerationSecrets = {
        ...faulty(secrets, new Faults()),
        read: () => Promise.resolve(undefined),
      };
      const blind = new Vault(connection, masterKey, clock, { tombstones, generations });
      await expect(blind.key('acme', kid)).rejects.toMatchObject({ kind: 'generation-lost' });
    });

    it('lets processes that cached the old generation make and open keys all the time', async () => {
      const vault = await ready();
      const old = await vault.newKey('acme', 'request');
      const other = await ready();
      await other.key('acme', old.kid);
      const rotation = rotationOn(connection);
      const made: DataKey[] = [old];
      for (const ms of [TIMES.everyMs, 1, KEY_CACHE_MS, TIMES.keepMs]) {
        time.now += ms;
        while ((await rotation.runOnce()) > 0) {
          made.push(await vault.newKey('acme', 'subject'), await other.newKey('acme', 'archive'));
          expect(new Set(await openAll(made, other))).toEqual(new Set(['x']));
        }
      }
      expect(new Set(await openAll(made, await ready()))).toEqual(new Set(['x']));
    });

    it('gives out no key whose wrap came too late for it', async () => {
      const ahead = { now: time.now };
      const rotation = rotationOn(connection, { clock: () => ahead.now });
      let inserts = 0;
      const late = vaultOn(
        hooked(connection, 'insertMany', async () => {
          if (inserts++ > 0) return;
          for (const ms of [TIMES.everyMs, KEY_CACHE_MS, TIMES.keepMs]) {
            ahead.now += ms;
            await runDue(rotation);
          }
        }),
      );
      const key = await late.newKey('acme', 'request');
      expect(inserts).toBe(2);
      expect(await openAll([key], await ready())).toEqual(['x']);
      expect(await stored()).toHaveLength(4);
    });

    it('opens a key that is wrapped again between the reads of its document and of its secret', async () => {
      const { kid } = await (await ready()).newKey('acme', 'request');
      const slow = { isFirst: true };
      const reader = new Vault(connection, masterKey, clock, {
        tombstones,
        generations: {
          ...faulty(secrets, new Faults()),
          read: async (generation) => {
            if (slow.isFirst) {
              slow.isFirst = false;
              await rotate();
            }
            return secrets.read(generation);
          },
        },
      });
      expect((await reader.key('acme', kid))?.kid).toBe(kid);
      expect(slow.isFirst).toBe(false);
    });

    it('asks once for the secret of a generation, and goes on while its place is away', async () => {
      let reads = 0;
      let isAway = false;
      const service: GenerationSecrets = {
        ...faulty(secrets, new Faults()),
        read: (generation) => {
          reads++;
          return isAway ? Promise.reject(new Error('away')) : secrets.read(generation);
        },
      };
      const vault = new Vault(connection, masterKey, clock, { tombstones, generations: service });
      await vault.ready();
      const key = await vault.newKey('acme', 'request');
      expect(reads).toBe(1);
      isAway = true;
      time.now += TIMES.keepMs;
      expect(await openAll([key, await vault.newKey('acme', 'request')], vault)).toEqual(['x', 'x']);
      expect(reads).toBe(1);
      await rotate();
      await expect(vault.newKey('acme', 'archive')).rejects.toThrow('away');
    });

    it('brings no key back that is destroyed during the pass', async () => {
      const vault = await ready();
      const { kid } = await vault.newKey('acme', 'request');
      const destroying = hooked(connection, 'bulkWrite', () => vault.destroy('acme', kid, 'request'));
      await rotate(rotationOn(destroying));
      expect((await stored()).filter(({ _id }) => _id === kid)).toEqual([]);
      expect(await stored()).toHaveLength(3);
    });

    it('is finished by another process, wherever it died', async () => {
      const vault = await ready();
      const keys = await Promise.all(Array.from({ length: 90 }, () => vault.newKey('acme', 'request')));
      const faults = new Faults();
      let deaths = 0;
      for (let write = 1, survived = false; !survived; write += WRITES_BETWEEN_DEATHS) {
        const generation = Number(await vault.lastGeneration());
        faults.dieAt(write);
        const dying = rotationOn(faults.connection(connection), { secrets: faulty(secrets, faults) });
        survived = await rotate(dying).then(
          () => true,
          () => false,
        );
        deaths += survived ? 0 : 1;
        faults.dieAt(Infinity);
        await rotate();
        expect(Number(await vault.lastGeneration())).toBeGreaterThan(generation);
        expect(hasSecret(generation)).toBe(false);
        expect(new Set((await stored()).map(({ by }) => by))).toEqual(new Set([await vault.lastGeneration()]));
      }
      expect(deaths).toBeGreaterThan(10 / WRITES_BETWEEN_DEATHS);
      expect(new Set(await openAll(keys, await ready()))).toEqual(new Set(['x']));
    });

    it('is done by one of several processes at a time', async () => {
      const vault = await ready();
      const keys = await Promise.all(Array.from({ length: 190 }, () => vault.newKey('acme', 'request')));
      const generation = Number(await vault.lastGeneration());
      const rotations = await Promise.all([1, 2, 3].map(async () => rotationOn(await database.open())));
      for (const ms of [TIMES.everyMs, KEY_CACHE_MS, TIMES.keepMs]) {
        time.now += ms;
        for (let done = 1; done > 0;)
          done = (await Promise.all(rotations.map((one) => one.runOnce()))).reduce((sum, one) => sum + one);
      }
      expect(await vault.lastGeneration()).toBe(generation + 1);
      expect(hasSecret(generation)).toBe(false);
      expect(new Set(await openAll(keys, await ready()))).toEqual(new Set(['x']));
    });

    it.each([
      ['there is no secret any more', 'generation-lost', undefined],
      ['there is another secret', 'key-unreadable', createSecretKey(randomBytes(32))],
    ])('destroys no secret while a key that it wrapped cannot be opened: %s', async (_, kind, answer) => {
      const vault = await ready();
      const key = await vault.newKey('acme', 'request');
      const generation = Number(await vault.lastGeneration());
      time.now += TIMES.everyMs;
      await runDue(rotationOn(connection));
      const blind: GenerationSecrets = {
        ...faulty(secrets, new Faults()),
        read: (of) => (of === generation ? Promise.resolve(answer) : secrets.read(of)),
      };
      time.now += KEY_CACHE_MS + TIMES.keepMs;
      await expect(runDue(rotationOn(connection, { secrets: blind }))).rejects.toMatchObject({ kind });
      expect(hasSecret(generation)).toBe(true);
      time.now += KEY_CACHE_MS;
      await runDue(rotationOn(connection));
      expect([hasSecret(generation), await openAll([key], await ready())]).toEqual([false, ['x']]);
    });

    it.each([
      ['destroys nothing', KEY_CACHE_MS, TIMES.keepMs],
      ['makes nothing', KEY_CACHE_MS + TIMES.keepMs, TIMES.everyMs],
    ])('%s in a place that has not the current secret, until the right one is back', async (_, done, due) => {
      const vault = await ready();
      const keys = [await vault.newKey('acme', 'request')];
      const rotation = rotationOn(connection);
      for (const ms of [TIMES.everyMs, KEY_CACHE_MS, done - KEY_CACHE_MS]) {
        time.now += ms;
        await runDue(rotation);
      }
      const before = await rotation.state();
      time.now += due;
      renameSync(folder, `${folder}-away`);
      mkdirSync(folder);
      const { current, gone } = before;
      for (const there of [[], [`generation-${current}.key`]]) {
        await expect(runDue(rotationOn(connection))).rejects.toMatchObject({ kind: 'generation-lost' });
        expect(await rotation.state()).toMatchObject({ current, gone });
        expect(readdirSync(folder)).toEqual(there);
        time.now += LEASE_MS;
        // Another secret of the same name.
        await secrets.create(current);
      }
      rmSync(folder, { recursive: true });
      renameSync(`${folder}-away`, folder);
      await rotate();
      expect([hasSecret(current), (await rotation.state()).gone]).toEqual([false, current]);
      expect(await openAll(keys, await ready())).toEqual(['x']);
    });

    it('takes over keys of the time before generations', async () => {
      const before = create();
      const on = await before.open();
      const without = new Vault(on, masterKey, clock, { tombstones });
      await without.ready();
      const key = await without.newKey('acme', 'request');
      const others = mkdtempSync(join(tmpdir(), 'generations-'));
      const files = new GenerationFiles(others, masterKey);
      const vault = new Vault(on, masterKey, clock, { tombstones, generations: files });
      await vault.ready();
      expect(await openAll([key], vault)).toEqual(['x']);
      const rotation = rotationOn(on, { secrets: files });
      time.now += KEY_CACHE_MS;
      await runDue(rotation);
      expect((await on.collection<DataKeyDocument>('dataKeys').findOne({ _id: key.kid, ws: 'acme' }))?.by).toBe(2);
      expect(await openAll([key], vault)).toEqual(['x']);
      rmSync(others, { recursive: true });
      await before.close();
    });

    it('is refused to processes that have not the secrets or others, and to a copy whose generation is destroyed', async () => {
      const others = {
        ...faulty(secrets, new Faults()),
        read: () => Promise.resolve(createSecretKey(randomBytes(32))),
      };
      const wrong = new Vault(connection, masterKey, clock, { tombstones, generations: others });
      for (const attempt of [() => wrong.ready(), () => wrong.newKey('acme', 'request')])
        await expect(attempt()).rejects.toMatchObject({
          kind: 'generation-lost',
          message: expect.stringContaining('another one') as string,
        });
      await expect(new Vault(connection, masterKey, clock, { tombstones }).ready()).rejects.toMatchObject({
        kind: 'generations-unset',
      });
      const state = connection.collection<{ _id: string }>('generations');
      // Of a version that kept no id: the next turn has one.
      await state.updateOne({ _id: 'generations' }, { $unset: { secretId: 1 } });
      await vaultOn(connection).ready();
      await rotate();
      expect(await state.countDocuments({ secretId: { $exists: true } })).toBe(1);
      const copy = await state.findOne({ _id: 'generations' });
      await rotate();
      await state.replaceOne({ _id: 'generations' }, { ...copy });
      await expect(vaultOn(connection).ready()).rejects.toMatchObject({ kind: 'generation-lost' });
    });
  });
}
