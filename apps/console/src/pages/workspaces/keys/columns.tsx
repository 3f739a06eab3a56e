import { Button } from '@patternfly/react-core';
import { useTexts } from '../../../language/language-context';
import { idColumn, stateColumn, timeColumn, type Column } from '../../../lists/column';
import type { ApiKey } from '../workspace';
import type { KeyChange } from './key-dialog';
import { keyTexts } from './texts';

const STATE_LOOKS = { active: 'success', expired: undefined, revoked: 'danger' } as const;

/** What is shown of keys; with their actions where `begin` is given. */
export function useKeyColumns(begin: ((change: KeyChange) => void) | undefined): readonly Column<ApiKey>[] {
  const t = useTexts(keyTexts);
  const titles = t.columns;
  const shown: readonly Column<ApiKey>[] = [
    idColumn(titles.key, { id: (row) => row.key }),
    stateColumn(titles.state, (row) => row.state, t.state, STATE_LOOKS),
    { title: titles.scopes, text: (row) => row.scopes.map((scope) => t.scope[scope]).join(', ') },
    timeColumn(titles.created, (row) => row.created_time),
    timeColumn(titles.expires, (row) => row.expires_time),
    timeColumn(titles.revoked, (row) => row.revoked_time),
  ];
  if (begin === undefined) return shown;
  return [
    ...shown,
    {
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
