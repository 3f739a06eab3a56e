import { Label } from '@patternfly/react-core';
import { useTexts } from '../../language/language-context';
import type { Destination } from './destination';
import { destinationTexts } from './texts';

const STATUS = { ok: 'success', failing: 'warning', paused: 'danger' } as const;

/** How the last attempt ended. */
export function StateLabel({ state }: { readonly state: Destination['state'] }) {
  const words = useTexts(destinationTexts);
  return (
    <Label variant="outline" isCompact status={STATUS[state]}>
      {words.state[state]}
    </Label>
  );
}
