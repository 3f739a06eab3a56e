import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { routes, type Route } from '../routes';
import { isTyping } from './keys';

const LEADER = 'g';
const LEADER_MS = 1_500;
export const SEARCH_KEY = '/';
export const HELP_KEY = '?';

interface Actions {
  readonly focusSearch: () => void;
  readonly showHelp: () => void;
}

/** `/` searches, `?` shows the keys, `g` and a letter go to a page. Nothing while a text is typed. */
export function useKeys({ focusSearch, showHelp }: Actions): void {
  const navigate = useNavigate();
  const leaderAt = useRef(-Infinity);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isSecond = event.timeStamp - leaderAt.current < LEADER_MS;
      leaderAt.current = !isSecond && event.key === LEADER ? event.timeStamp : -Infinity;
      const page = isSecond ? routes.find((route: Route) => route.key === event.key) : undefined;
      if (page) void navigate(page.path);
      else if (event.key === SEARCH_KEY) focusSearch();
      else if (event.key === HELP_KEY) showHelp();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate, focusSearch, showHelp]);
}
