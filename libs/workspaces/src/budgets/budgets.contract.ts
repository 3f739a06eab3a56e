import type { TestDatabase } from '@opendsr-service/storage/testing';
import { BudgetContended, BudgetsStore } from './budgets.store';
import { RateLimits, type WorkspaceBudget } from './rate-limits';

/** An empty database that further processes may open. */
/** These rules do not depend on the speed of the database. */
const LATE_AFTER_MS = 60_000;
const onTime = (): void => undefined;
const silent = { warn: () => undefined, info: () => undefined };

/** Rules of budgets over several processes, for each database. */
export function budgetsContract(name: string, create: () => TestDatabase): void {
  describe(`budgets on ${name}`, () => {
    let database: TestDatabase;
    const time = { now: 0 };
    const process = async () => new RateLimits(await database.open(), () => time.now, silent, LATE_AFTER_MS);
    beforeEach(() => {
      time.now = Date.UTC(2026, 10, 21, 12);
      database = create();
    });
    afterEach(() => database.close());

    const take = async (budget: WorkspaceBudget, ws = 'acme'): Promise<number> => (await budget.takeToken(ws)).waitMs;
    const passed = (waits: readonly number[]): number => waits.filter((waitMs) => waitMs === 0).length;

    it('grant concurrent processes at most the limit together, and at least the limit without their leases', async () => {
      const limit = 200;
      const budgets = [await process(), await process()].map((limits) => limits.perMinute('calls', limit));
      const calls = budgets.flatMap((budget) => Array.from({ length: limit }, () => take(budget)));
      const count = passed(await Promise.all(calls));
      expect(count).toBeLessThanOrEqual(limit);
      expect(count).toBeGreaterThanOrEqual(limit - (2 * limit) / 20);
    });

    it('never exceed the limit of a day, although processes stop and others start', async () => {
      let count = 0;
      for (let life = 0; life < 4; life++) {
        const creates = (await process()).perDay('creates', 40);
        count += passed(await Promise.all(Array.from({ length: 15 }, () => take(creates))));
      }
      expect(count).toBe(40);
      time.now += 43_200_000;
      expect(await take((await process()).perDay('creates', 40))).toBe(0);
    });

    it('are returned by a process that stops', async () => {
      const ending = await process();
      const creates = ending.perDay('creates', 2_000);
      expect(passed([await take(creates), await take(creates)])).toBe(2);
      await ending.close();
      const [{ taken } = { taken: -1 }] = await (
        await database.open()
      )
        .collection<{ _id: string; taken: number }>('budgets')
        .find({})
        .toArray();
      expect(taken).toBe(2);
    });

    it('are separate for each workspace and purpose', async () => {
      const limits = await process();
      const [calls, creates] = [limits.perMinute('calls', 1), limits.perDay('creates', 1)];
      expect([await take(calls), await take(creates), await take(calls, 'other')]).toEqual([0, 0, 0]);
      expect([await take(calls), await take(creates)]).toEqual([60_000, 43_200_000]);
      expect(limits.refused).toEqual({ calls: 1, creates: 1 });
      expect(limits.decidedAlone).toEqual({ calls: 0, creates: 0 });
    });

    it('are changed by one writer at a time: no change is lost', async () => {
      const stores = await Promise.all(
        Array.from({ length: 4 }, async () => new BudgetsStore(await database.open(), LATE_AFTER_MS)),
      );
      const add = async (store: BudgetsStore): Promise<void> => {
        await store
          .change('acme', 'calls', (seen) => ({ state: { at: 0.25, taken: (seen?.taken ?? 0) + 1 } }), onTime)
          .catch((error: unknown) => {
            if (!(error instanceof BudgetContended)) throw error;
            return add(store);
          });
      };
      await Promise.all(
        stores.map(async (store) => {
          for (let n = 0; n < 10; n++) await add(store);
        }),
      );
      expect(
        await (stores[0] as BudgetsStore).change('acme', 'calls', (seen) => ({ state: undefined, seen }), onTime),
      ).toEqual({ state: undefined, seen: { at: 0.25, taken: 40 } });
    });
  });
}
