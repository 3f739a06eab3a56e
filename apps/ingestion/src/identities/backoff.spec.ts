import { backoffDelaysMs } from './backoff';

describe('pauses between tries', () => {
  it('grow to a quarter of a second, are random, and end after some seconds', () => {
    const pauses = [...backoffDelaysMs()];
    pauses.forEach((pause, n) => {
      const most = Math.min(5 * 2 ** n, 250);
      expect(pause).toBeGreaterThanOrEqual(most / 2);
      expect(pause).toBeLessThanOrEqual(most);
    });
    expect(new Set(pauses.slice(-10)).size).toBeGreaterThan(1);
    expect(pauses.reduce((sum, pause) => sum + pause)).toBeLessThan(6_000);
  });
});
