import { Button, Label } from '@patternfly/react-core';
import { useTexts } from '../../../language/language-context';
import type { Column } from '../../../lists/column';
import { idColumn } from '../../../lists/id-column';
import { timeColumn } from '../../../lists/time-column';
import type { ApiKey } from '../workspace';
import type { KeyChange } from './key-dialog';
import { keyTexts } from './texts';

const STATUS = { active: 'success', expired: undefined, revoked: 'danger' } as const;

/** What is shown of keys; with their actions where `begin` is given. */
export function useKeyColumns(begin: ((change: KeyChange) => void) | undefined): readonly Column<ApiKey>[] {
  const t = useTexts(keyTexts);
  const titles = t.columns;
  const shown: readonly Column<ApiKey>[] = [
    idColumn('key', titles.key, { id: (row) => row.key }),
    {
      name: 'state',
      title: titles.state,
      text: (row) => t.state[row.state],
      cell: ({ state }) => (
        <Label variant="outline" isCompact status={STATUS[state]}>
          {t.state[state]}
        </Label>
      ),
    },
    { name: 'scopes', title: titles.scopes, text: (row) => row.scopes.map((scope) => t.scope[scope]).join(', ') },
    timeColumn('created', titles.created, (row) => row.created_time),
    timeColumn('expires', titles.expires, (row) => row.expires_time),
    timeColumn('revoked', titles.revoked, (row) => row.revoked_time),
  ];
  if (begin === undefined) return shown;
  return [
    ...shown,
    {
      name: 'actions',
      isAction: true,
      title: titles.actions,
      text: () => '',
      cell: ({ key, state }) =>
        state === 'active' && (
          <>
            <Button
              variant="link"
              size="sm"
              aria-label={t.rotateOne(key)}
              onClick={() => begin({ what: 'rotate', key })}
            >
              {t.rotate}
            </Button>
            <Button
              variant="link"
              size="sm"
              isDanger
              aria-label={t.revokeOne(key)}
              onClick={() => begin({ what: 'revoke', key })}
            >
              {t.revoke}
            </Button>
          </>
        ),
    },
  ];
}
