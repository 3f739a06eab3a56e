import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { sessionQuery, signInByLink } from '../api/session';
import { useTexts } from '../language/language-context';
import { Loading } from '../parts/loading';
import { SignIn } from './sign-in';
import { shellTexts } from './texts';

/** Where the link of a sandbox leads: its secret stands behind `#`, which browsers send to nobody. */
export function SignInByLink() {
  const { signIn: t } = useTexts(shellTexts);
  const { hash } = useLocation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [hasFailed, setFailed] = useState(false);
  const isUsed = useRef(false);
  useEffect(() => {
    if (isUsed.current) return;
    isUsed.current = true;
    signInByLink(hash.slice(1))
      .then(() => client.resetQueries(sessionQuery))
      .then(() => navigate('/', { replace: true }))
      .catch(() => setFailed(true));
  }, [hash, client, navigate]);
  return hasFailed ? <SignIn note={t.used} /> : <Loading />;
}
