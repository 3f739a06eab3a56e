import { DeliveryCounts } from './delivery-counts';

it('counts attempts by published outcome and given-up callbacks by reason, from zero', () => {
  const counts = new DeliveryCounts();
  counts.attempted('delivered');
  counts.attempted('unreachable');
  counts.attempted('unreachable');
  counts.givenUp('exhausted', 3);
  expect(
    counts.metrics.map(({ name, labels: [label = ''], read }) => [
      name,
      label,
      Object.fromEntries(read().map(({ labels, value }) => [labels[label], value])) as Record<string, number>,
    ]),
  ).toEqual([
    [
      'opendsr_callback_attempts_total',
      'outcome',
      { delivered: 1, rejected: 0, gone: 0, unreachable: 2, postponed: 0 },
    ],
    ['opendsr_callbacks_given_up_total', 'reason', { gone: 0, exhausted: 3, 'key-destroyed': 0 }],
  ]);
});
