import { useFormats, useTexts } from '../../../language/language-context';
import { idColumn, stateColumn, timeColumn, type Column } from '../../../lists/column';
import { StateLabel } from '../../../parts/state-label';
import { STATUS_LOOKS } from '../../../requests/labels';
import { requestWords } from '../../../requests/texts';
import type { Callback } from '../queries';
import { Attempts } from './attempts';
import { deliveryTexts } from './texts';

const STATE_LOOKS = { waiting: 'info', delivered: 'success', given_up: 'danger' } as const;

export function useDeliveryColumns(): readonly Column<Callback>[] {
  const t = useTexts(deliveryTexts);
  const words = useTexts(requestWords);
  const { count } = useFormats();
  const stateOf = ({ state, reason }: Callback): string =>
    reason === null ? t.states[state] : `${t.states[state]}: ${t.reasons[reason]}`;
  return [
    stateColumn(t.status, (row) => row.request_status, words.status, STATUS_LOOKS),
    {
      title: t.state,
      text: stateOf,
      cell: (row) => <StateLabel status={STATE_LOOKS[row.state]}>{stateOf(row)}</StateLabel>,
    },
    {
      title: t.attempts,
      text: (row) => count(row.attempt_count),
      cell: (row) => <Attempts callback={row} />,
    },
    timeColumn(t.next, (row) => row.next_attempt_time),
    idColumn(t.destination, { id: (row) => row.destination }),
    idColumn(t.delivery, { id: (row) => row.delivery_id }),
  ];
}
