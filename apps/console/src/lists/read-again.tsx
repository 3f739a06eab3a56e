import { Button } from '@patternfly/react-core';
import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useTexts } from '../language/language-context';
import { listTexts } from './texts';

interface ReadAgainProps {
  readonly queryKey: QueryKey;
  /** By default "read again". */
  readonly label?: string;
  readonly onReadAgain?: () => void;
}

/** Reads a list again from its beginning: the viewer decides when its place is left. */
export function ReadAgain({ queryKey, label, onReadAgain }: ReadAgainProps) {
  const { readAgain } = useTexts(listTexts);
  const client = useQueryClient();
  const read = (): void => {
    onReadAgain?.();
    void client.resetQueries({ queryKey });
  };
  return (
    <Button variant="link" onClick={read}>
      {label ?? readAgain}
    </Button>
  );
}
