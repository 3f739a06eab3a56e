import { useInfiniteQuery } from '@tanstack/react-query';
import { ActionButton } from '../../../actions/action-button';
import { useReasonDialog } from '../../../actions/use-reason-dialog';
import { may } from '../../../api/permission';
import { useTexts } from '../../../language/language-context';
import { PlainTable } from '../../../lists/plain-table';
import { QueryState } from '../../../parts/query-state';
import { Section } from '../../../parts/section';
import { useSession } from '../../../session/session-context';
import { callbacksQuery, type ReadCallback } from '../queries';
import { ReadMore } from '../read-more';
import { type ReadRequest } from '../../../requests/request-query';
import { requestTexts } from '../texts';
import { useDecisions } from '../use-decisions';
import { useDeliveryColumns } from './columns';
import { deliveryTexts } from './texts';

/** So many columns stand before that of the button, in sight on most screens: the long ids follow. */
const BEFORE_ACTION = 4;

/** What became of the callbacks of a request, with their last attempts. */
export function Deliveries({ read }: { readonly read: ReadRequest }) {
  const t = useTexts(deliveryTexts);
  const { replay: words } = useTexts(requestTexts);
  const { replay } = useDecisions(read);
  const { dialog, ask } = useReasonDialog();
  const session = useSession();
  const { workspace: ws, subject_request_id: srid, key } = read.story;
  const query = useInfiniteQuery(callbacksQuery({ ws, srid }));
  const columns = useDeliveryColumns();
  const canReplay = key === 'alive' && may(session, 'repair', ws);
  // The service refuses it while the callback waits: it will be sent anyway.
  const action = ({ delivery_id: delivery, state, tag }: ReadCallback) =>
    state !== 'waiting' && (
      <ActionButton
        action={{
          ...{ label: words.do, title: words.title, help: words.help },
          onConfirm: (reason) => replay(delivery, reason, tag),
        }}
        isInline
        ask={ask}
      />
    );
  return (
    <Section title={t.title}>
      <QueryState query={query}>
        {(callbacks) => (
          <PlainTable
            name={t.title}
            empty={t.none}
            rows={callbacks}
            keyOf={(callback) => callback.delivery_id}
            columns={[
              ...columns.slice(0, BEFORE_ACTION),
              ...(canReplay ? [{ title: words.do, text: () => '', cell: action, isAction: true as const }] : []),
              ...columns.slice(BEFORE_ACTION),
            ]}
          />
        )}
      </QueryState>
      <ReadMore query={query} />
      {dialog}
    </Section>
  );
}
