import { Button, Form, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { mayBeDone } from '../api/may-be-done';
import { useTexts } from '../language/language-context';
import { Notice } from '../parts/notice';
import { useProblemWords } from '../parts/use-problem-words';
import { TextField } from './text-field';
import { actionTexts } from './texts';

/** The longest reason that the API takes. */
const MOST_CHARACTERS = 256;

interface ReasonDialogProps {
  readonly title: string;
  /** What will happen. */
  readonly help: ReactNode;
  /** The word of the button that does it. */
  readonly confirm: string;
  /** Whether it cannot be taken back. */
  readonly isDangerous?: boolean;
  /** Further fields. */
  readonly children?: ReactNode;
  readonly onConfirm: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks why something is changed, does it, and closes; until then it stays. Where the service refuses, it says so. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, help, confirm, isDangerous = false, children, onConfirm, onClose } = props;
  const t = useTexts(actionTexts);
  const wordsOf = useProblemWords();
  const [titleId, formId] = [useId(), useId()];
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  const isSent = useRef(false);
  const change = useMutation({
    mutationFn: onConfirm,
    onSuccess: onClose,
    onError: () => {
      isSent.current = false;
    },
  });
  /** Nobody else would say that the service refused, and a dialog that was opened meanwhile would be closed. */
  const close = (): void => {
    if (!change.isPending) onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // A second Enter comes before the page has heard that the change is pending.
    if (reason === '' || isSent.current) return;
    isSent.current = true;
    change.mutate(reason);
  };
  return (
    <Modal isOpen variant="small" onClose={close} aria-labelledby={titleId}>
      <ModalHeader title={title} labelId={titleId} />
      <ModalBody>
        <p className="console-paragraph">{help}</p>
        <Form id={formId} onSubmit={submit}>
          {children}
          <TextField
            label={t.reason}
            help={t.reasonHelp}
            isRequired
            maxLength={MOST_CHARACTERS}
            value={typed}
            onChange={setTyped}
          />
        </Form>
        {change.error !== null && (
          <Notice isLiveRegion variant="danger" title={mayBeDone(change.error) ? t.unknown : t.refused}>
            {wordsOf(change.error).join('. ')}
          </Notice>
        )}
      </ModalBody>
      <ModalFooter>
        <Button
          type="submit"
          form={formId}
          variant={isDangerous ? 'danger' : 'primary'}
          isDisabled={reason === '' || change.isPending}
          isLoading={change.isPending}
        >
          {confirm}
        </Button>
        <Button variant="link" isDisabled={change.isPending} onClick={close}>
          {t.back}
        </Button>
      </ModalFooter>
    </Modal>
  );
}
