import type { TopicDefinition, TopicState } from './port';

const isLonger = (is: number, should: number): boolean => should >= 0 && (is < 0 || is > should);

/** How the retention of a topic differs. A longer one loses no record, and may be what saves records that no group has read yet. */
export function retentionState(
  { name, retentionMs }: TopicDefinition,
  found: number,
): Pick<TopicState, 'differences' | 'tolerated'> {
  if (found === retentionMs) return { differences: [], tolerated: [] };
  const line = `topic ${name}: retention.ms is ${found}, should be ${retentionMs}`;
  return isLonger(found, retentionMs)
    ? { differences: [], tolerated: [`${line}: its records, with sealed personal data, are kept for longer`] }
    : { differences: [line], tolerated: [] };
}
