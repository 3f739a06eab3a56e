import { FormSelect, FormSelectOption, TextInput, ToolbarItem } from '@patternfly/react-core';
import { useRef, useState } from 'react';
import { useTexts } from '../language/language-context';
import { dayOf, endOf, startOf } from './days';
import { listTexts } from './texts';
import type { FilterField } from './use-filters';

interface FieldProps extends FilterField {
  readonly label: string;
}

interface ChoiceProps extends FieldProps {
  /** Values and what they are called. */
  readonly choices: readonly (readonly [value: string, label: string])[];
}

/** A filter that takes one of a few values. */
export function FilterChoice({ label, value, onChange, choices }: ChoiceProps) {
  const { any } = useTexts(listTexts);
  return (
    <ToolbarItem>
      <FormSelect aria-label={label} value={value ?? ''} onChange={(_event, next) => onChange(next || undefined)}>
        <FormSelectOption value="" label={`${label}: ${any}`} />
        {choices.map(([choice, name]) => (
          <FormSelectOption key={choice} value={choice} label={`${label}: ${name}`} />
        ))}
      </FormSelect>
    </ToolbarItem>
  );
}

interface TypedProps {
  readonly label: string;
  readonly value: string;
  readonly type: 'text' | 'date';
  readonly onCommit: (typed: string) => void;
}

/** What is typed counts once the field is left, or with Enter. The field follows a filter that changes elsewhere. */
function TypedField({ label, value, type, onCommit }: TypedProps) {
  const [known, setKnown] = useState(value);
  const [typed, setTyped] = useState(value);
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  // A day that is picked with the mouse counts at once; while one is typed, the field holds other days in between.
  const isTyping = useRef(false);
  const commit = (next = typed): void => {
    isTyping.current = false;
    if (next.trim() !== value) onCommit(next);
  };
  return (
    <TextInput
      type={type}
      aria-label={label}
      placeholder={label}
      value={typed}
      onChange={(_event, next) => {
        setTyped(next);
        if (type === 'date' && !isTyping.current) commit(next);
      }}
      onBlur={() => commit()}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit();
        else isTyping.current = true;
      }}
    />
  );
}

/** A filter that takes a text. */
export const FilterText = ({ label, value = '', onChange }: FieldProps) => (
  <ToolbarItem>
    <TypedField label={label} value={value} type="text" onCommit={onChange} />
  </ToolbarItem>
);

interface DayProps extends FieldProps {
  /** Whether the day is the last one of a range: the filter is then its last instant. */
  readonly isEnd?: boolean;
}

/** A filter that takes a day in the zone of the viewer, and is an instant. */
export const FilterDay = ({ label, value, onChange, isEnd = false }: DayProps) => (
  <ToolbarItem className="console-day">
    <label>
      {label}{' '}
      <TypedField
        label={label}
        value={dayOf(value)}
        type="date"
        onCommit={(day) => onChange(isEnd ? endOf(day) : startOf(day))}
      />
    </label>
  </ToolbarItem>
);
