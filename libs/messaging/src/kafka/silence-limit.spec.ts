import { SilenceLimit } from './silence-limit';

it('doubles each time that it strikes, up to eightfold, and begins anew once a position was committed', () => {
  const limit = new SilenceLimit(30_000);
  const strikes = [1, 2, 3, 4].map(() => {
    limit.struck();
    return limit.ms;
  });
  limit.progressed();
  expect([strikes, limit.ms]).toEqual([[60_000, 120_000, 240_000, 240_000], 30_000]);
});
