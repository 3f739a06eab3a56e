import { storeChecks } from './checks';

it('pings a silent store once for all concurrent probes, and again after its response', async () => {
  let asked = 0;
  let fail: (error: Error) => void = () => undefined;
  const ping = (): Promise<void> => {
    asked += 1;
    return new Promise((_resolve, reject) => (fail = reject));
  };
  const storing = storeChecks({ ping }, { available: true }).find(({ name }) => name === 'storing');
  const answers = [1, 2, 3].map(async () => storing?.ok());
  fail(new Error('away'));
  expect([await Promise.all(answers), asked]).toEqual([[false, false, false], 1]);
  void storing?.ok();
  expect(asked).toBe(2);
});

it('calls a process without its stores degraded, not unavailable', async () => {
  const checks = storeChecks({ ping: () => Promise.reject(new Error('away')) }, { available: false });
  expect(
    await Promise.all(checks.map(async ({ name, essential, ok }) => ({ name, essential, ok: await ok() }))),
  ).toEqual([
    { name: 'publishing', essential: false, ok: false },
    { name: 'storing', essential: false, ok: false },
  ]);
});
