import { Button } from '@patternfly/react-core';
import { useTexts } from '../../language/language-context';
import { requestTexts } from './texts';

interface ReadMoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}

/** Reads the next page of a list of a request. Paper says where the rest was not read. */
export function ReadMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: ReadMoreProps) {
  const t = useTexts(requestTexts);
  if (!hasNextPage) return null;
  return (
    <>
      <Button variant="link" isLoading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {t.more}
      </Button>
      <p className="console-print-only">{t.cut}</p>
    </>
  );
}
