import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  Modal,
  ModalBody,
  ModalHeader,
} from '@patternfly/react-core';
import { useTexts } from '../language/language-context';
import { useNavigation } from './navigation';
import { shellTexts } from './texts';
import { HELP_KEY, SEARCH_KEY } from './use-keys';

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(shellTexts);
  const lines: readonly (readonly [string, string])[] = [
    [SEARCH_KEY, t.keyHelp.search],
    [HELP_KEY, t.keyHelp.help],
    ...useNavigation().map(({ key, title }): [string, string] => [`g ${key}`, t.keyHelp.page(title)]),
  ];
  return (
    <Modal isOpen variant="small" onClose={onClose} aria-labelledby="key-help">
      <ModalHeader title={t.keys} labelId="key-help" />
      <ModalBody>
        <DescriptionList isHorizontal isCompact>
          {lines.map(([keys, meaning]) => (
            <DescriptionListGroup key={keys}>
              <DescriptionListTerm>
                <kbd>{keys}</kbd>
              </DescriptionListTerm>
              <DescriptionListDescription>{meaning}</DescriptionListDescription>
            </DescriptionListGroup>
          ))}
        </DescriptionList>
      </ModalBody>
    </Modal>
  );
}
