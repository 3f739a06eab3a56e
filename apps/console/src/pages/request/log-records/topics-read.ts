import type { components } from '../../../api/operator';

export type TopicRead = components['schemas']['OperatorRecords']['topics'][number];

/** What is known of each topic after some pages. Only the first read of one knows what was removed before it began. */
export const lastOfEach = (reads: readonly TopicRead[]): readonly TopicRead[] => [
  ...reads
    .reduce((known, next) => {
      const before = known.get(next.topic);
      const { is_cut: isCut, left_from_time: leftFrom } = before?.is_cut ? before : next;
      return known.set(next.topic, { ...next, is_cut: isCut, left_from_time: leftFrom });
    }, new Map<string, TopicRead>())
    .values(),
];
