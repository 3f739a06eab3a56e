import CheckCircleIcon from '@patternfly/react-icons/dist/esm/icons/check-circle-icon';
import TimesCircleIcon from '@patternfly/react-icons/dist/esm/icons/times-circle-icon';
import { Icon, List, ListItem } from '@patternfly/react-core';

interface CheckListProps {
  readonly name: string;
  readonly checks: readonly { readonly label: string; readonly passed: boolean; readonly of?: string }[];
}

/** What was checked, in its order. */
export const CheckList = ({ name, checks }: CheckListProps) => (
  <List isPlain aria-label={name}>
    {checks.map(({ label, passed, of }) => (
      <ListItem
        key={label}
        icon={
          <Icon status={passed ? 'success' : 'danger'}>
            {passed ? <CheckCircleIcon title="✓" /> : <TimesCircleIcon title="✗" />}
          </Icon>
        }
      >
        {label}
        {of !== undefined && `: ${of}`}
      </ListItem>
    ))}
  </List>
);
