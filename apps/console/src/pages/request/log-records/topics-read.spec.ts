import { lastOfEach, type TopicRead } from './topics-read';

const read = (more: Partial<TopicRead> = {}): TopicRead => ({
  ...{ topic: 'dsr.commands.v1', partition: 1, state: 'read', stopped_by: null, read_to_time: null, bytes: 0 },
  ...{ is_cut: false, left_from_time: null, kept_ms: 1_000 },
  ...more,
});

it('keeps of each topic how far it was read last, and what its first read knew to be removed', () => {
  const first = read({ state: 'stopped', is_cut: true, left_from_time: 'then' });
  const other = 'dsr.request-events.v1';
  expect(lastOfEach([first, read(), read({ topic: other, state: 'stopped' })])).toEqual([
    read({ is_cut: true, left_from_time: 'then' }),
    read({ topic: other, state: 'stopped' }),
  ]);
  expect(lastOfEach([read(), read({ is_cut: true, left_from_time: 'now' })])).toEqual([
    read({ is_cut: true, left_from_time: 'now' }),
  ]);
});
