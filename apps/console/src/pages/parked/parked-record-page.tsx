import { EmptyState, EmptyStateBody } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { api, readTagged } from '../../api/client';
import { asProblem } from '../../api/problem';
import { useFormats, useTexts } from '../../language/language-context';
import { TableSection } from '../../lists/table-section';
import { Facts } from '../../parts/facts';
import { Id } from '../../parts/id';
import { Page } from '../../parts/page';
import { QueryState } from '../../parts/query-state';
import { StateLabel } from '../../parts/state-label';
import { Time } from '../../parts/time';
import { RequestOf } from '../../requests/request-column';
import { KIND_LOOKS, parkedPath, type ParkedDetail, type ServiceName } from './parked-record';
import { RecordActions } from './record-actions';
import { parkedTexts } from './texts';

/** While it is marked: its service handles it within seconds. */
const READ_EVERY_MS = 2_000;

const isMissing = (error: unknown): boolean => asProblem(error).status === 404;

/** One record that a service could not handle, without its value. */
export default function ParkedRecordPage() {
  const t = useTexts(parkedTexts);
  const { service = '', id = '' } = useParams();
  const path = { service: service as ServiceName, id };
  const query = useQuery({
    queryKey: ['parked', 'one', service, id],
    queryFn: ({ signal }) => readTagged(api.GET('/operator/v1/parked/{service}/{id}', { params: { path }, signal })),
    refetchInterval: ({ state: { data, error } }) => data?.body.marked === true && !isMissing(error) && READ_EVERY_MS,
  });
  const isGone = query.data !== undefined && isMissing(query.error);
  return (
    <Page
      title={t.one(id)}
      isLoading={query.isPending}
      actions={
        query.data && (
          <RecordActions
            key={id}
            record={query.data.body}
            tag={query.data.tag}
            readAt={query.dataUpdatedAt}
            isGone={isGone}
          />
        )
      }
    >
      {isGone ? (
        <div role="status">
          <EmptyState titleText={t.gone} headingLevel="h2" variant="sm">
            <EmptyStateBody>{t.goneHelp}</EmptyStateBody>
          </EmptyState>
        </div>
      ) : (
        <QueryState query={query}>{({ body }) => <Shown record={body} />}</QueryState>
      )}
    </Page>
  );
}

function Shown({ record }: { readonly record: ParkedDetail }) {
  const t = useTexts(parkedTexts);
  const { count } = useFormats();
  const { service, blocked_by: blocker, headers } = record;
  const titles = t.columns;
  return (
    <>
      <Facts
        facts={[
          [titles.service, service],
          [titles.reason, <Id key="reason" id={record.reason} />],
          [titles.since, <Time key="since" at={record.since} />],
          [
            titles.kind,
            <StateLabel key="kind" status={KIND_LOOKS[record.kind]}>
              {t.kind[record.kind]}
            </StateLabel>,
          ],
          [titles.type, record.type],
          [titles.request, <RequestOf key="request" of={record} />],
          [titles.workspace, record.workspace],
          [
            titles.key,
            <Id key="key" id={record.key} path={`/parked?${new URLSearchParams({ service, key: record.key })}`} />,
          ],
          [titles.marked, record.marked ? t.yes : t.no],
          [titles.behind, count(record.behind)],
          [
            titles.blockedBy,
            blocker === null ? null : (
              <Link key="blocker" to={parkedPath({ service, id: blocker })}>
                {blocker}
              </Link>
            ),
          ],
          [titles.topic, record.topic],
          [titles.place, `${String(record.partition)}, ${record.offset}`],
          [titles.group, record.group],
          [titles.bytes, t.bytes(count(record.bytes))],
          [titles.hash, <Id key="hash" id={record.hash} />],
          [titles.otherHeaders, count(record.other_headers)],
        ]}
      />
      <TableSection
        title={titles.headers}
        columns={[
          { title: titles.header, text: ([name]) => name },
          { title: titles.value, text: ([, value]) => value },
        ]}
        rows={Object.entries(headers)}
        keyOf={([name]) => name}
      />
    </>
  );
}
