import { Bullseye, Spinner } from '@patternfly/react-core';
import { useTexts } from '../language/language-context';
import { partsTexts } from './texts';

export function Loading() {
  const { loading } = useTexts(partsTexts);
  return (
    <Bullseye>
      <Spinner aria-label={loading} size="lg" />
    </Bullseye>
  );
}
