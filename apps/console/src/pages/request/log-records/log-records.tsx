import { ExpandableSection } from '@patternfly/react-core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemState } from '../../../parts/problem-state';
import { useTexts } from '../../../language/language-context';
import { PlainTable } from '../../../lists/plain-table';
import { ReadAgain } from '../../../lists/read-again';
import { QueryState } from '../../../parts/query-state';
import { Section } from '../../../parts/section';
import type { Which } from '../../../requests/request-query';
import { ReadMore } from '../read-more';
import { useRecordColumns, useTopicColumns } from './columns';
import { recordsKey, recordsQuery, type FoundRecords } from './records-query';
import { recordTexts } from './texts';

/** What stands on the event log about a request. It is searched once the viewer asks for it. */
export function LogRecords({ which }: { readonly which: Which }) {
  const t = useTexts(recordTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={t.title} isScreenOnly={!isOpen}>
      <ExpandableSection toggleText={t.open} isExpanded={isOpen} onToggle={(_event, next) => setOpen(next)}>
        {isOpen && (
          <div className="console-section">
            <p>{t.help}</p>
            <Found which={which} />
          </div>
        )}
      </ExpandableSection>
    </Section>
  );
}

function Found({ which }: { readonly which: Which }) {
  const query = useInfiniteQuery(recordsQuery(which));
  const { data, error, fetchNextPage } = query;
  return (
    <>
      {/* Nothing but the next page is read again: its failure stands where the viewer asked for it. */}
      <QueryState query={{ ...query, error: data ? null : error }}>
        {(found) => <Tables found={found} hasMore={query.hasNextPage} />}
      </QueryState>
      {data && error && <ProblemState error={error} onRetry={() => void fetchNextPage()} />}
      <ReadMore query={query} />
      {data && <ReadAgain queryKey={recordsKey(which)} />}
    </>
  );
}

function Tables({ found: { records, topics }, hasMore }: { readonly found: FoundRecords; readonly hasMore: boolean }) {
  const t = useTexts(recordTexts);
  const columns = useRecordColumns();
  const topicColumns = useTopicColumns();
  return (
    <>
      {records.length === 0 ? (
        <p role="status">{hasMore ? t.noneYet : t.none}</p>
      ) : (
        <PlainTable
          name={t.title}
          rows={records}
          keyOf={({ topic, offset }) => `${topic} ${offset}`}
          columns={columns}
        />
      )}
      <h3>{t.read}</h3>
      <PlainTable name={t.read} rows={topics} keyOf={({ topic }) => topic} columns={topicColumns} />
    </>
  );
}
