import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { api, bodyOf } from '../api/client';
import { sessionQuery } from '../api/session';
import { Gathered, readChange, type Changed } from './changes';
import { FollowedStream } from './followed-stream';
import { refresh } from './refresh';
import { RowAllowance } from './row-allowance';

const STREAM = '/operator/v1/changes';
/** Changes of so long are shown together. */
const GATHER_MS = 1_000;
/**
 * The API may give counts of four seconds ago. They are read again so many times `GATHER_MS` after a change, and so is a request
 * where changes were not named.
 */
const RECOUNT_TICKS = 5;
/** Rows that are read again at once, and each `GATHER_MS` for as long as a list changes; for the others the viewer reads the list again. */
const MOST_ROWS = 20;
const ROWS_A_TICK = 2;
/** A stream that was refused is opened again after so long, and until then everything that is shown may be old. */
const AGAIN_MS = 15_000;

interface Live {
  /** Whether lists may lack something that is newer. */
  readonly isOld: boolean;
  readonly isFresh: () => void;
}

const Context = createContext<Live>({ isOld: false, isFresh: () => undefined });

/** Follows what changes, as long as somebody is signed in and the page is in sight. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    const gathered = new Gathered(RECOUNT_TICKS);
    const rows = { allowance: new RowAllowance(MOST_ROWS, ROWS_A_TICK), read: readRow };
    const readCounts = () => void client.invalidateQueries({ queryKey: ['request-counts'] });
    const readRequest = () => void client.invalidateQueries({ queryKey: ['request'] });
    const readAgain = (): void => {
      readCounts();
      readRequest();
      setOld(true);
    };
    const stream = new FollowedStream({
      open: () => new EventSource(STREAM),
      onChanged: (data) => {
        const message = readChange(data);
        if (message) gathered.add(message);
        if (message?.more) setOld(true);
      },
      onReturn: readAgain,
      onRefused: () => {
        void client.invalidateQueries(sessionQuery);
        readAgain();
      },
      againMs: AGAIN_MS,
    });
    const timer = setInterval(() => {
      const due = gathered.tick();
      rows.allowance.tick();
      if (due.counts) readCounts();
      if (due.others) readRequest();
      if (due.requests.length === 0) return;
      void refresh(client, due.requests, rows).then((after) => after.isOld && setOld(true));
    }, GATHER_MS);
    // Browsers open six connections to a host at most, for all tabs together.
    const follow = (): void => (document.visibilityState === 'hidden' ? stream.close() : stream.open());
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      stream.close();
      clearInterval(timer);
    };
  }, [client]);
  const live = useMemo(() => ({ isOld, isFresh: () => setOld(false) }), [isOld]);
  return <Context value={live}>{children}</Context>;
}

async function readRow({ workspace: ws, subject_request_id: srid }: Changed) {
  const params = { path: { ws, srid } };
  return bodyOf(api.GET('/operator/v1/requests/{ws}/{srid}', { params }));
}

export const useLive = (): Live => use(Context);
