import { Button, ClipboardCopy, Modal, ModalBody, ModalFooter, ModalHeader } from '@patternfly/react-core';
import { useId, useState } from 'react';
import { useTexts } from '../../../language/language-context';
import { Facts } from '../../../parts/facts';
import { Notice } from '../../../parts/notice';
import { keyTexts } from './texts';

/** A key with the secret that nothing can show again. */
export interface NewKey {
  readonly key: string;
  readonly secret: string;
}

/** Shows the secret of a new key, once. */
export function MadeKey({ made, onClose }: { readonly made: NewKey; readonly onClose: () => void }) {
  const t = useTexts(keyTexts);
  const id = useId();
  const [isRefused, setRefused] = useState(false);
  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setRefused(false);
    } catch {
      setRefused(true);
    }
  };
  const copyable = (text: string, label: string) => (
    <ClipboardCopy
      isReadOnly
      hoverTip={t.copy}
      clickTip={isRefused ? t.notCopied : t.copied}
      textAriaLabel={label}
      onCopy={() => void copy(text)}
    >
      {text}
    </ClipboardCopy>
  );
  return (
    <Modal isOpen variant="medium" aria-labelledby={id}>
      <ModalHeader title={t.made} labelId={id} />
      <ModalBody>
        <p className="console-paragraph">{t.madeHelp}</p>
        <Facts
          facts={[
            [t.key, copyable(made.key, t.key)],
            [t.secret, copyable(made.secret, t.secret)],
          ]}
        />
        {isRefused && (
          <Notice isLiveRegion variant="warning" title={t.notCopied}>
            {t.notCopiedHelp}
          </Notice>
        )}
      </ModalBody>
      <ModalFooter>
        <Button onClick={onClose}>{t.done}</Button>
      </ModalFooter>
    </Modal>
  );
}
