import { FormGroup, FormHelperText, HelperText, HelperTextItem, TextInput } from '@patternfly/react-core';
import { useId } from 'react';

interface TextFieldProps {
  readonly label: string;
  readonly help: string;
  readonly value: string;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  readonly onChange: (value: string) => void;
}

/** A line of text in a form, with what it is for. */
export function TextField({ label, help, value, isRequired = false, maxLength, onChange }: TextFieldProps) {
  const [id, helpId] = [useId(), useId()];
  return (
    <FormGroup label={label} isRequired={isRequired} fieldId={id}>
      <TextInput
        id={id}
        isRequired={isRequired}
        maxLength={maxLength}
        value={value}
        aria-describedby={helpId}
        onChange={(_event, next) => onChange(next)}
      />
      <FormHelperText>
        <HelperText>
          <HelperTextItem id={helpId}>{help}</HelperTextItem>
        </HelperText>
      </FormHelperText>
    </FormGroup>
  );
}
