import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Which } from '../../requests/request-query';
import { callbacksQuery, eventsQuery, logEntriesQuery } from './queries';

/** Prints a request as a whole: after the rest of its lists was read, and with everything unfolded. */
export function usePrint(which: Which): () => void {
  const [wanted, setWanted] = useState(0);
  const printed = useRef(0);
  const lists = [
    useInfiniteQuery(eventsQuery(which)),
    useInfiniteQuery(callbacksQuery(which)),
    useInfiniteQuery(logEntriesQuery(which)),
  ];
  const isFetching = lists.some((list) => list.isFetching);
  const unread = lists.find(({ hasNextPage, error }) => hasNextPage && error === null);
  useEffect(unfoldOnPaper, []);
  useEffect(() => {
    if (wanted === printed.current || isFetching) return;
    if (unread) {
      void unread.fetchNextPage();
      return;
    }
    printed.current = wanted;
    window.print();
  }, [wanted, isFetching, unread]);
  return () => setWanted(wanted + 1);
}

/** Also where the browser's own command prints. */
function unfoldOnPaper(): () => void {
  let unfolded: readonly HTMLDetailsElement[] = [];
  const set = (isOpen: boolean): void => {
    for (const one of unfolded) one.open = isOpen;
  };
  const unfold = (): void => {
    unfolded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    set(true);
  };
  const fold = (): void => set(false);
  window.addEventListener('beforeprint', unfold);
  window.addEventListener('afterprint', fold);
  return () => {
    window.removeEventListener('beforeprint', unfold);
    window.removeEventListener('afterprint', fold);
  };
}
