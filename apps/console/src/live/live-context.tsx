import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react';
import { sessionQuery } from '../api/session';
import { ChangedRequests, readChange, Recount } from './changes';
import { refresh } from './refresh';

const STREAM = '/operator/v1/changes';
/** Changes of so long are shown together. */
const GATHER_MS = 1_000;
/** The API may give counts of four seconds ago. They are read again so many times `GATHER_MS` after a change. */
const RECOUNT_TICKS = 5;
/** Without the stream everything that is shown is asked for again after so long. */
const POLL_MS = 15_000;

interface Live {
  /** Whether lists may lack something that is newer. */
  readonly isOld: boolean;
  readonly isFresh: () => void;
}

const Context = createContext<Live>({ isOld: false, isFresh: () => undefined });

/** Follows what changes, as long as somebody is signed in. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [isOld, setOld] = useState(false);
  const [hasStream, setStream] = useState(true);
  useEffect(() => {
    const changed = new ChangedRequests();
    const recount = new Recount(RECOUNT_TICKS);
    const stream = new EventSource(STREAM);
    stream.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      const message = readChange(data);
      changed.add(message?.requests ?? []);
      if (message?.more) setOld(true);
    });
    stream.addEventListener('open', () => setStream(true));
    stream.addEventListener('error', () => {
      // It is opened again by itself, unless it was refused.
      if (stream.readyState !== EventSource.CLOSED) return;
      setStream(false);
      void client.invalidateQueries(sessionQuery);
    });
    const timer = setInterval(() => {
      const taken = changed.take();
      if (recount.tick()) void client.invalidateQueries({ queryKey: ['request-counts'] });
      if (taken.length === 0) return;
      recount.note();
      void refresh(client, taken).then((after) => after.isOld && setOld(true));
    }, GATHER_MS);
    return () => {
      stream.close();
      clearInterval(timer);
    };
  }, [client]);
  useEffect(() => {
    if (hasStream) return;
    const timer = setInterval(() => {
      void client.invalidateQueries({ queryKey: ['request-counts'] });
      void client.invalidateQueries({ queryKey: ['request'] });
      setOld(true);
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [client, hasStream]);
  const live = useMemo(() => ({ isOld, isFresh: () => setOld(false) }), [isOld]);
  return <Context value={live}>{children}</Context>;
}

export const useLive = (): Live => use(Context);
