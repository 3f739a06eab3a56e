import { Alert, type AlertProps } from '@patternfly/react-core';
import { useTexts } from '../language/language-context';
import { partsTexts } from './texts';

interface NoticeProps extends Omit<AlertProps, 'variant' | 'variantLabel' | 'isInline'> {
  readonly variant: 'danger' | 'info' | 'success' | 'warning';
}

/** Says something beside what it is about; readers of screens hear of what kind it is. */
export function Notice({ variant, ...props }: NoticeProps) {
  const { notice } = useTexts(partsTexts);
  return <Alert isInline variant={variant} variantLabel={notice[variant]} {...props} />;
}
