import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { Page } from '../../parts/page';
import { QueryState } from '../../parts/query-state';
import { ApiKeys } from './keys/api-keys';
import { workspaceTexts } from './texts';
import { WorkspaceFacts } from './workspace-facts';
import { WorkspaceParticipants } from './workspace-participants';

/** One workspace: how it is set up, its keys, and who takes part in its requests. */
export default function WorkspacePage() {
  const t = useTexts(workspaceTexts);
  const { ws = '' } = useParams();
  const query = useQuery({
    queryKey: ['workspaces', 'one', ws],
    queryFn: ({ signal }) => bodyOf(api.GET('/operator/v1/workspaces/{ws}', { params: { path: { ws } }, signal })),
  });
  return (
    <Page title={t.one(ws)} isLoading={query.isPending}>
      <QueryState query={query}>
        {(workspace) => (
          <>
            <WorkspaceFacts workspace={workspace} />
            <ApiKeys ws={ws} />
            <WorkspaceParticipants ws={ws} />
          </>
        )}
      </QueryState>
    </Page>
  );
}
