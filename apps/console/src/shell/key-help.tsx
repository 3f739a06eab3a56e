import {
  Checkbox,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
  Modal,
  ModalBody,
  ModalHeader,
} from '@patternfly/react-core';
import { useId } from 'react';
import { useTexts } from '../language/language-context';
import { useNavigation } from './navigation';
import { shellTexts } from './texts';
import { HELP_KEY, SEARCH_KEY } from './use-keys';

interface KeyHelpProps {
  readonly areOn: boolean;
  readonly onSwitch: (areOn: boolean) => void;
  readonly onClose: () => void;
}

/** Which keys there are, and the switch for all of them. */
export function KeyHelp({ areOn, onSwitch, onClose }: KeyHelpProps) {
  const id = useId();
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
        <Checkbox
          id={id}
          className="console-key-switch"
          label={t.useKeys}
          isChecked={areOn}
          onChange={(_event, isChecked) => onSwitch(isChecked)}
        />
      </ModalBody>
    </Modal>
  );
}
