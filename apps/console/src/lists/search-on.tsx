import { Button } from '@patternfly/react-core';
import { useTexts } from '../language/language-context';
import { listTexts } from './texts';
import type { CursorList } from './use-cursor-list';

type SearchOnProps = Pick<CursorList<unknown>, 'isPaused' | 'isLoadingMore' | 'error' | 'searchOn'>;

/** Reads on where hardly anything matched so far: each page costs the service the same, however little it shows. */
export function SearchOn({ isPaused, isLoadingMore, error, searchOn }: SearchOnProps) {
  const t = useTexts(listTexts);
  if (!isPaused || error !== null) return null;
  return (
    <Button variant="link" isLoading={isLoadingMore} onClick={searchOn}>
      {t.searchOn}
    </Button>
  );
}
