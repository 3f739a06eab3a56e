import { useFormats, useTexts } from '../../../language/language-context';
import { idColumn, timeColumn, type Column } from '../../../lists/column';
import type { RequestRecord } from './records-query';
import { recordTexts } from './texts';
import type { TopicRead } from './topics-read';

/** Shown in a column of its own. */
const NUMBERS = ['version', 'seq'] as const;

const numberOf = ({ fields }: RequestRecord): string =>
  String(NUMBERS.map((name) => fields?.[name]).find((value) => value !== undefined) ?? '–');

export function useRecordColumns(): readonly Column<RequestRecord>[] {
  const t = useTexts(recordTexts);
  const { count } = useFormats();
  const fieldsOf = ({ fields }: RequestRecord): string =>
    fields === null
      ? t.malformed
      : Object.entries(fields)
          .filter(([name]) => !NUMBERS.some((number) => number === name))
          .map(([name, value]) => `${name}: ${String(value)}`)
          .join(', ');
  return [
    timeColumn(t.time, ({ time }) => time),
    { title: t.type, text: ({ type }) => type ?? '–' },
    { title: t.number, text: numberOf },
    { title: t.topic, text: ({ topic }) => topic },
    { title: t.place, text: ({ partition, offset }) => `${String(partition)} / ${offset}` },
    { title: t.fields, text: fieldsOf },
    { title: t.bytes, text: ({ bytes }) => count(bytes) },
    idColumn(t.id, { id: (record) => record.message_id }),
  ];
}

export function useTopicColumns(): readonly Column<TopicRead>[] {
  const t = useTexts(recordTexts);
  const { duration, time } = useFormats();
  const stateOf = ({ state, stopped_by: by }: TopicRead): string =>
    state === 'stopped' ? t.stopped[by ?? 'records'] : t.states[state];
  const removedOf = ({ is_cut: isCut, left_from_time: leftFrom, kept_ms: keptMs }: TopicRead): string => {
    if (!isCut) return t.nothingRemoved;
    const kept = duration(keptMs / 1_000);
    return leftFrom === null ? t.allRemoved(kept) : t.removedBefore(time(leftFrom), kept);
  };
  return [
    { title: t.topic, text: ({ topic }) => topic },
    { title: t.state, text: stateOf },
    timeColumn(t.readTo, (read) => read.read_to_time),
    { title: t.removed, text: (read) => (read.state === 'denied' ? '–' : removedOf(read)) },
  ];
}
