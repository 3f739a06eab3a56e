import { useInfiniteQuery } from '@tanstack/react-query';
import { useFormats, useTexts } from '../../language/language-context';
import { PlainTable } from '../../lists/plain-table';
import { codeColumn, idColumn, timeColumn } from '../../lists/column';
import { QueryState } from '../../parts/query-state';
import { Section } from '../../parts/section';
import { logTexts } from './log-texts';
import { logEntriesQuery, type LogEntry } from './queries';
import { ReadMore } from './read-more';
import { type Which } from '../../requests/request-query';

/** What the public log holds of a request. The log itself names none. */
export function LogEntries({ which }: { readonly which: Which }) {
  const t = useTexts(logTexts);
  const { count } = useFormats();
  const query = useInfiniteQuery(logEntriesQuery(which));
  return (
    <Section title={t.title}>
      <QueryState query={query}>
        {(entries) => (
          <PlainTable
            name={t.title}
            empty={t.none}
            rows={entries}
            keyOf={({ index }) => String(index)}
            columns={[
              { title: t.index, text: ({ index }) => count(index) },
              codeColumn(t.kind, ({ kind }: LogEntry) => kind),
              timeColumn(t.time, ({ time }: LogEntry) => time),
              idColumn(t.digest, { id: ({ digest }: LogEntry) => digest }),
              { title: t.covered, text: (entry) => (entry.is_covered ? t.yes : t.no) },
            ]}
          />
        )}
      </QueryState>
      <ReadMore query={query} />
    </Section>
  );
}
