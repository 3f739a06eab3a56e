import { Button } from '@patternfly/react-core';
import { useState, type ReactNode } from 'react';
import { ReasonDialog } from './reason-dialog';

interface ActionButtonProps {
  /** What is done: the word of the button, and of the one in the dialog. */
  readonly label: string;
  /** Of the dialog; by default the label. */
  readonly title?: string;
  readonly help: ReactNode;
  readonly isDangerous?: boolean;
  readonly isInline?: boolean;
  readonly onConfirm: (reason: string) => Promise<unknown>;
}

/** A button for something that needs a reason. */
export function ActionButton(props: ActionButtonProps) {
  const { label, title = label, help, isDangerous = false, isInline = false, onConfirm } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant={isInline ? 'link' : 'secondary'}
        isDanger={isDangerous}
        isInline={isInline}
        onClick={() => setOpen(true)}
        {...(title !== label && { 'aria-label': title })}
      >
        {label}
      </Button>
      {isOpen && (
        <ReasonDialog
          title={title}
          help={help}
          confirm={label}
          isDangerous={isDangerous}
          onConfirm={onConfirm}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
