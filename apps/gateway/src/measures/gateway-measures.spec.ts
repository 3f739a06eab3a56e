import { LogRefused } from '../evidence/log-refused';
import { refusalMetric } from './gateway-measures';

it('the metric that the alert reads says by which reason the transparency log is not signed', () => {
  const { name, read } = refusalMetric({ refused: new LogRefused('forked') });
  expect(name).toBe('opendsr_transparency_refused');
  const values = read().map(({ labels, value }) => [labels['reason'], value]);
  expect(Object.fromEntries(values)).toEqual({ behind: 0, forked: 1, unreadable: 0 });
  expect(
    refusalMetric({ refused: undefined })
      .read()
      .map(({ value }) => value),
  ).toEqual([0, 0, 0]);
});
