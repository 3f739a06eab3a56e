import { Label } from '@patternfly/react-core';
import { useFormats, useTexts } from '../../../language/language-context';
import type { Column } from '../../../lists/column';
import { idColumn } from '../../../lists/id-column';
import { timeColumn } from '../../../lists/time-column';
import { StatusLabel } from '../../../requests/labels';
import { requestWords } from '../../../requests/texts';
import type { Callback } from '../queries';
import { Attempts } from './attempts';
import { deliveryTexts } from './texts';

const STATES = { waiting: 'info', delivered: 'success', given_up: 'danger' } as const;

export function useDeliveryColumns(): readonly Column<Callback>[] {
  const t = useTexts(deliveryTexts);
  const words = useTexts(requestWords);
  const { count } = useFormats();
  const stateOf = ({ state, reason }: Callback): string =>
    reason === null ? t.states[state] : `${t.states[state]}: ${t.reasons[reason]}`;
  return [
    {
      name: 'status',
      title: t.status,
      text: (row) => words.status[row.request_status],
      cell: (row) => <StatusLabel status={row.request_status} />,
    },
    {
      name: 'state',
      title: t.state,
      text: stateOf,
      cell: (row) => (
        <Label variant="outline" isCompact status={STATES[row.state]}>
          {stateOf(row)}
        </Label>
      ),
    },
    {
      name: 'attempts',
      title: t.attempts,
      text: (row) => count(row.attempt_count),
      cell: (row) => <Attempts callback={row} />,
    },
    timeColumn('next', t.next, (row) => row.next_attempt_time),
    idColumn('destination', t.destination, { id: (row) => row.destination }),
    idColumn('delivery', t.delivery, { id: (row) => row.delivery_id }),
  ];
}
