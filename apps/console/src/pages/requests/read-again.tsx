import { Button } from '@patternfly/react-core';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useTexts } from '../../language/language-context';
import { useLive } from '../../live/live-context';
import { listTexts } from '../../lists/texts';

/** Offered where a list may lack what is newer: the viewer decides when its place is left. */
export function ReadAgain({ queryKey }: { readonly queryKey: QueryKey }) {
  const t = useTexts(listTexts);
  const { isOld, isFresh } = useLive();
  const client = useQueryClient();
  if (!isOld) return null;
  const readAgain = (): void => {
    isFresh();
    void client.resetQueries({ queryKey });
  };
  return (
    <Button variant="link" onClick={readAgain}>
      {t.newer}
    </Button>
  );
}
