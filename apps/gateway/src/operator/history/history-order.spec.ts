import type { HistoryEntry } from './history-entry';
import { inOrder, isBehind } from './history-order';

const at = (second: number): Date => new Date(Date.UTC(2026, 10, 26, 12, 0, second));
const entry = (id: string, second: number, facts: HistoryEntry['facts'] = {}): HistoryEntry => ({
  ...{ id, at: at(second), kind: id.split(' ', 1)[0] as HistoryEntry['kind'], facts },
});
const of = (status: 'pending' | 'in_progress', attempt?: number) => ({
  ...{ delivery_id: 'd', request_status: status, ...(attempt !== undefined && { attempt }) },
});
const idsOf = (entries: readonly HistoryEntry[]) => inOrder(entries).map(({ id }) => id);

it('puts what happened at the same instant in the order of causes', () => {
  const story = [
    ...[entry('callback_queued d', 1, of('pending')), entry('participant_reported crm', 1), entry('extended', 1)],
    ...[entry('cancelled', 1), entry('noted x', 1), entry('received', 1)],
  ];
  expect(idsOf(story)).toEqual([
    ...['received', 'noted x', 'participant_reported crm', 'extended', 'cancelled', 'callback_queued d'],
  ]);
});

it('puts nothing before its cause, whatever the clocks of processes say', () => {
  const story = [
    ...[entry('received', 5), entry('started', 9), entry('noted x', 2)],
    entry('callback_queued d', 8, of('in_progress')),
    ...[
      entry('callback_attempted d 1', 7, of('in_progress', 1)),
      entry('callback_attempted d 2', 6, of('in_progress', 2)),
    ],
    entry('callback_due d', 30, of('in_progress')),
  ];
  expect(idsOf(story)).toEqual([
    ...['received', 'noted x', 'started', 'callback_queued d', 'callback_attempted d 1', 'callback_attempted d 2'],
    'callback_due d',
  ]);
  // The times that are shown stay those of the clocks.
  expect(inOrder(story).find(({ id }) => id === 'noted x')).toMatchObject({ at: at(2), placedAt: at(5) });
});

it('goes on behind any entry', () => {
  const placed = inOrder([entry('received', 5), entry('noted x', 2), entry('callback_queued d', 5, of('pending'))]);
  for (const [n, { placedAt, id }] of placed.entries())
    expect(placed.filter((one) => isBehind(one, { at: placedAt, id }))).toEqual(placed.slice(n + 1));
});
