import { createContext, use } from 'react';
import type { Session } from '../api/session';

const Context = createContext<Session | undefined>(undefined);

export const SessionProvider = Context;

/** Who is signed in. Only below the session gate. */
export function useSession(): Session {
  const session = use(Context);
  if (!session) throw new Error('no session gate above');
  return session;
}
