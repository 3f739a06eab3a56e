import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { asProblem } from '../api/problem';
import { sessionQuery } from '../api/session';
import { useTexts } from '../language/language-context';
import { SessionProvider } from '../session/session-context';
import type { SignInFailure } from '../session/sign-in-failure';
import { Loading } from '../parts/loading';
import { ProblemState } from '../parts/problem-state';
import { SignIn } from './sign-in';
import { shellTexts } from './texts';

interface SessionGateProps {
  /** Of the sign-in that the browser comes from. */
  readonly failure: SignInFailure | undefined;
  readonly children: ReactNode;
}

/** Shows what is below to who is signed in, anew to another person, and to others how to sign in. The address stays. */
export function SessionGate({ failure, children }: SessionGateProps) {
  const { signIn: t } = useTexts(shellTexts);
  const { data, error, isPending, refetch } = useQuery(sessionQuery);
  const [told, tell] = useState(failure);
  // The session that ends later was no failure.
  if (data && told) tell(undefined);
  if (isPending) return <Loading />;
  const note = data ? t.ended : told && t[told];
  if (error && asProblem(error).status === 401) return <SignIn {...(note !== undefined && { note })} />;
  // A session that cannot be read for now is still there.
  if (!data) return <ProblemState error={error} onRetry={() => void refetch()} />;
  return (
    <SessionProvider key={data.subject} value={data}>
      {children}
    </SessionProvider>
  );
}
