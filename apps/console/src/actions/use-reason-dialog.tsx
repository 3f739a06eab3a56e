import { useState, type ReactNode } from 'react';
import { ReasonDialog } from './reason-dialog';

/** What a reason is asked for. */
export interface Asked {
  /** What is done: the word of the button, and of the one in the dialog. */
  readonly label: string;
  /** Of the dialog; by default the label. */
  readonly title?: string;
  readonly help: ReactNode;
  readonly isDangerous?: boolean;
  readonly onConfirm: (reason: string) => Promise<unknown>;
}

interface ReasonDialogControls {
  /** Belongs where no change of what is shown takes it away: somebody types in it. */
  readonly dialog: ReactNode;
  readonly ask: (asked: Asked) => void;
}

/** A dialog that asks for a reason. What is done then is what was asked for when it was opened, whatever has changed since. */
export function useReasonDialog(): ReasonDialogControls {
  const [asked, ask] = useState<Asked>();
  const dialog = asked && (
    <ReasonDialog
      title={asked.title ?? asked.label}
      help={asked.help}
      confirm={asked.label}
      isDangerous={asked.isDangerous === true}
      onConfirm={asked.onConfirm}
      onClose={() => ask(undefined)}
    />
  );
  return { dialog, ask };
}
