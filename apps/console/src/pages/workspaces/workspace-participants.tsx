import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { PlainTable } from '../../lists/plain-table';
import { useParticipantColumns } from '../../participants/columns';
import { QueryState } from '../../parts/query-state';
import { Section } from '../../parts/section';
import { workspaceTexts } from './texts';

/** The systems that take part in requests of a workspace. */
export function WorkspaceParticipants({ ws }: { readonly ws: string }) {
  const t = useTexts(workspaceTexts);
  const columns = useParticipantColumns();
  const query = useQuery({
    queryKey: ['participants', ws],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/operator/v1/workspaces/{ws}/participants', { params: { path: { ws } }, signal })),
  });
  return (
    <Section title={t.participants}>
      <QueryState query={query}>
        {({ participants }) => (
          <PlainTable
            name={t.participants}
            empty={t.noParticipants}
            columns={columns}
            rows={participants}
            keyOf={({ name }) => name}
          />
        )}
      </QueryState>
    </Section>
  );
}
