import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { asProblem, type Problem } from '../api/problem';
import { sessionQuery, signInByLink } from '../api/session';
import { useTexts } from '../language/language-context';
import { Loading } from '../parts/loading';
import { ProblemState } from '../parts/problem-state';
import { SignIn } from './sign-in';
import { shellTexts } from './texts';

/** The link has no secret, or one that is used up, or there is an identity provider: no repeat changes that. */
const IN_VAIN: readonly number[] = [400, 401, 404];

/** Where the link of a sandbox leads: its secret stands behind `#`, which browsers send to nobody. */
export function SignInByLink() {
  const { signIn: t } = useTexts(shellTexts);
  const { hash } = useLocation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [failure, setFailure] = useState<Problem>();
  const isUsed = useRef(false);
  const enter = useCallback(() => {
    setFailure(undefined);
    signInByLink(hash.slice(1))
      .then(() => client.resetQueries(sessionQuery))
      .then(() => navigate('/', { replace: true }))
      .catch((error: unknown) => setFailure(asProblem(error)));
  }, [hash, client, navigate]);
  useEffect(() => {
    if (isUsed.current) return;
    isUsed.current = true;
    enter();
  }, [enter]);
  if (!failure) return <Loading />;
  return IN_VAIN.includes(failure.status) ? <SignIn note={t.used} /> : <ProblemState error={failure} onRetry={enter} />;
}
