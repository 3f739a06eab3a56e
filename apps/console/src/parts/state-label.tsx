import { Label, type LabelProps } from '@patternfly/react-core';

interface StateLabelProps {
  readonly status: LabelProps['status'];
  readonly children: string;
}

/** A state: by its word and its icon, not by colour alone. */
export const StateLabel = ({ status, children }: StateLabelProps) => (
  <Label variant="outline" isCompact status={status}>
    {children}
  </Label>
);
