import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { Route } from '../routes';

/** Whether a key that is pressed is part of a text, or of a command of the browser. */
const isMeantElsewhere = ({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof HTMLElement && (target.isContentEditable || FIELDS.includes(target.tagName)));

const FIELDS: readonly string[] = ['INPUT', 'TEXTAREA', 'SELECT'];
const LEADER = 'g';
const LEADER_MS = 1_500;
export const SEARCH_KEY = '/';
export const HELP_KEY = '?';

interface KeysParts {
  /** Those that the viewer may see. */
  readonly pages: readonly Route[];
  /** Speech input and shaking hands press keys that nobody means. */
  readonly areOn: boolean;
  readonly focusSearch: () => void;
  readonly showHelp: () => void;
}

/** `/` searches, `?` shows the keys, `g` and a letter go to one of the pages. Nothing while a text is typed, or where the viewer switched them off. */
export function useKeys({ pages, areOn, focusSearch, showHelp }: KeysParts): void {
  const navigate = useNavigate();
  const leaderAt = useRef(-Infinity);
  useEffect(() => {
    if (!areOn) return;
    const actions: Readonly<Record<string, () => void>> = { [SEARCH_KEY]: focusSearch, [HELP_KEY]: showHelp };
    const onKey = (event: KeyboardEvent): void => {
      if (isMeantElsewhere(event)) return;
      const isSecond = event.timeStamp - leaderAt.current < LEADER_MS;
      leaderAt.current = !isSecond && event.key === LEADER ? event.timeStamp : -Infinity;
      const page = isSecond ? pages.find(({ key }) => key === event.key) : undefined;
      const act = page ? () => void navigate(page.path) : actions[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [pages, areOn, navigate, focusSearch, showHelp]);
}
