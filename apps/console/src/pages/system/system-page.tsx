import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { Page } from '../../parts/page';
import { QueryState } from '../../parts/query-state';
import { Certificates, Groups, Outboxes, Topics } from './parts-of-system';
import { Services } from './services';
import { Settings } from './settings';
import { systemTexts } from './texts';

const REFRESH_MS = 10_000;

/** How the services are: read again every ten seconds. */
export default function SystemPage() {
  const t = useTexts(systemTexts);
  const query = useQuery({
    queryKey: ['system'],
    queryFn: ({ signal }) => bodyOf(api.GET('/operator/v1/system', { signal })),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page title={t.title} isLoading={query.isPending}>
      <QueryState query={query}>
        {({ services, topics }) => (
          <>
            <Services services={services} />
            <Certificates services={services} />
            <Groups services={services} />
            <Outboxes services={services} />
            <Topics topics={topics} />
            <Settings services={services} />
          </>
        )}
      </QueryState>
    </Page>
  );
}
