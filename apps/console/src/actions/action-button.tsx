import { Button } from '@patternfly/react-core';
import type { Asked } from './use-reason-dialog';

interface ActionButtonProps {
  readonly action: Asked;
  readonly isInline?: boolean;
  readonly ask: (asked: Asked) => void;
}

/** A button for something that needs a reason. */
export function ActionButton({ action, isInline = false, ask }: ActionButtonProps) {
  const { label, title = label, isDangerous = false } = action;
  return (
    <Button
      variant={isInline ? 'link' : 'secondary'}
      isDanger={isDangerous}
      isInline={isInline}
      onClick={() => ask(action)}
      {...(title !== label && { 'aria-label': title })}
    >
      {label}
    </Button>
  );
}
