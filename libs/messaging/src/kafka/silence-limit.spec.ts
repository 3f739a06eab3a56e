import { SilenceLimit } from './silence-limit';

it('doubles with each strike, up to eightfold, and resets once a position was committed', () => {
  const limit = new SilenceLimit(30_000);
  const strikes = [1, 2, 3, 4].map(() => {
    limit.struck();
    return limit.ms;
  });
  limit.progressed();
  expect([strikes, limit.ms]).toEqual([[60_000, 120_000, 240_000, 240_000], 30_000]);
});
