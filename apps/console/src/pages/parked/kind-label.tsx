import { Label } from '@patternfly/react-core';
import { useTexts } from '../../language/language-context';
import type { ParkedRecord } from './parked-record';
import { parkedTexts } from './texts';

const STATUS = { blocking: 'danger', waiting: 'warning', aside: 'info' } as const;

/** Whether other records wait behind it. */
export function KindLabel({ kind }: { readonly kind: ParkedRecord['kind'] }) {
  const words = useTexts(parkedTexts);
  return (
    <Label variant="outline" isCompact status={STATUS[kind]}>
      {words.kind[kind]}
    </Label>
  );
}
