import { Dropdown, DropdownGroup, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core';
import { useState, type ReactNode } from 'react';

export interface MenuEntry {
  readonly name: string;
  readonly label: string;
  readonly isSelected?: boolean;
  readonly onSelect: () => void;
}

interface MenuProps {
  /** The accessible name of the button. */
  readonly label: string;
  readonly icon: ReactNode;
  /** Above the entries. */
  readonly heading?: string;
  readonly entries: readonly MenuEntry[];
}

/** A button with an icon that opens a few entries. */
export function Menu({ label, icon, heading, entries }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setOpen}
      onSelect={() => setOpen(false)}
      popperProps={{ position: 'right' }}
      shouldFocusToggleOnSelect
      toggle={(ref) => (
        <MenuToggle
          ref={ref}
          variant="plain"
          aria-label={label}
          icon={icon}
          isExpanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      )}
    >
      <DropdownGroup {...(heading !== undefined && { label: heading })}>
        <DropdownList>
          {entries.map(({ name, label: text, isSelected, onSelect }) => (
            <DropdownItem key={name} onClick={onSelect} {...(isSelected !== undefined && { isSelected })}>
              {text}
            </DropdownItem>
          ))}
        </DropdownList>
      </DropdownGroup>
    </Dropdown>
  );
}
