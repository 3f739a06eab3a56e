import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useTexts } from '../../language/language-context';
import { Loading } from '../../parts/loading';
import { Page } from '../../parts/page';
import { ProblemState } from '../../parts/problem-state';
import { requestWords } from '../../requests/texts';
import { RequestFacts } from './request-facts';
import { requestQuery } from './queries';
import { requestTexts } from './texts';

/** One request with its whole story. */
export default function RequestPage() {
  const t = useTexts(requestTexts);
  const words = useTexts(requestWords);
  const { ws = '', srid = '' } = useParams();
  const { data, error, isPending, refetch } = useQuery(requestQuery(ws, srid));
  const title = data ? t.title(words.type[data.story.subject_request_type]) : t.title(srid);
  return (
    <Page title={title} isLoading={isPending}>
      {isPending && <Loading />}
      {error && <ProblemState error={error} onRetry={() => void refetch()} />}
      {data && <RequestFacts story={data.story} />}
    </Page>
  );
}
