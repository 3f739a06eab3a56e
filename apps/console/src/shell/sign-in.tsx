import { Button, Card, CardBody, CardTitle, Content, Title } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { settingsQuery } from '../api/console-settings';
import { useTexts } from '../language/language-context';
import { Loading } from '../parts/loading';
import { ProblemState } from '../parts/problem-state';
import { keepPlace } from '../session/return-place';
import { shellTexts } from './texts';

const SIGN_IN = '/operator/v1/sign-in';

/** What stands in place of a page where nobody is signed in. `note` says what went wrong before. */
export function SignIn({ note }: { readonly note?: string }) {
  const { signIn: t, name } = useTexts(shellTexts);
  const { data, error, isPending, refetch } = useQuery(settingsQuery);
  const { pathname, search } = useLocation();
  const begin = (): void => {
    keepPlace(sessionStorage, `${pathname}${search}`);
    location.assign(SIGN_IN);
  };
  return (
    <main className="console-sign-in" aria-busy={isPending}>
      <Card>
        <CardTitle>
          <Title headingLevel="h1">
            {name}: {t.title}
          </Title>
        </CardTitle>
        <CardBody>
          {note !== undefined && <Content component="p">{note}</Content>}
          {isPending && <Loading />}
          {error && <ProblemState error={error} onRetry={() => void refetch()} />}
          {data?.sign_in === 'provider' && (
            <>
              <Content component="p">{t.provider}</Content>
              <Button onClick={begin}>{t.button}</Button>
            </>
          )}
          {data?.sign_in === 'link' && (
            <>
              <Content component="p">{t.sandbox}</Content>
              <Content component="p">{t.sandboxAgain}</Content>
            </>
          )}
        </CardBody>
      </Card>
    </main>
  );
}
