import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { api, bodyOf } from '../../api/client';
import { useFormats, useTexts } from '../../language/language-context';
import { TableSection } from '../../lists/table-section';
import { Facts } from '../../parts/facts';
import { Page } from '../../parts/page';
import { QueryState } from '../../parts/query-state';
import { StateLabel } from '../../parts/state-label';
import { Time } from '../../parts/time';
import { isCountedOut, STATE_LOOKS, type DestinationDetail } from './destination';
import { destinationTexts } from './texts';
import { useWaitingColumns } from './waiting-columns';

/** One host, and the requests whose callbacks wait for it. */
export default function DestinationPage() {
  const t = useTexts(destinationTexts);
  const { ws = '', host = '' } = useParams();
  const query = useQuery({
    queryKey: ['destinations', 'one', ws, host],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/operator/v1/destinations/{ws}/{host}', { params: { path: { ws, host } }, signal })),
  });
  return (
    <Page title={t.one(host)} isLoading={query.isPending}>
      <QueryState query={query}>{(destination) => <Shown destination={destination} />}</QueryState>
    </Page>
  );
}

function Shown({ destination }: { readonly destination: DestinationDetail }) {
  const t = useTexts(destinationTexts);
  const { count } = useFormats();
  const columns = useWaitingColumns(destination.workspace);
  const { last_attempt: last, requests, waiting } = destination;
  return (
    <>
      <p className="console-paragraph">{t.hostHelp}</p>
      <Facts
        facts={[
          [t.columns.workspace, destination.workspace],
          [
            t.columns.state,
            <StateLabel key="state" status={STATE_LOOKS[destination.state]}>
              {t.state[destination.state]}
            </StateLabel>,
          ],
          [t.columns.outcome, [t.outcome[last.outcome], last.http_status].filter((part) => part !== null).join(', ')],
          [t.columns.at, <Time key="at" at={last.time} />],
          [t.columns.delivered, <Time key="delivered" at={destination.last_delivered_time} />],
          [t.columns.failing, <Time key="failing" at={destination.failing_since} />],
          [t.columns.paused, <Time key="paused" at={destination.paused_until} />],
          [t.columns.waiting, isCountedOut(waiting) ? t.atLeast(count(waiting)) : count(waiting)],
          [t.columns.next, <Time key="next" at={destination.next_attempt_time} />],
        ]}
      />
      {destination.state === 'paused' && <p className="console-paragraph">{t.pausedHelp}</p>}
      <TableSection
        title={t.waiting}
        empty={t.nothingWaits}
        columns={columns}
        rows={requests}
        keyOf={(row) => `${row.subject_request_id} ${row.destination}`}
      />
    </>
  );
}
