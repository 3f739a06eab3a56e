import { Button } from '@patternfly/react-core';
import type { Answer } from '../../api/answer';
import { useTexts } from '../../language/language-context';
import type { Column } from '../../lists/column';
import { lineColumn } from '../../lists/line-column';
import { timeColumn } from '../../lists/time-column';
import { requestColumn } from '../../requests/request-column';
import { useSession } from '../../session/session-context';
import { revealTexts } from './texts';

export type Reveal = Answer<'/operator/v1/reveals'>['reveals'][number];

/** What is shown of a wish. Nobody approves their own. */
export function useRevealColumns(approve: (reveal: Reveal) => void): readonly Column<Reveal>[] {
  const t = useTexts(revealTexts);
  const { subject } = useSession();
  const titles = t.columns;
  return [
    requestColumn('request', titles.request),
    { name: 'by', title: titles.by, text: (row) => row.asked_by },
    {
      name: 'actions',
      title: titles.actions,
      text: () => '',
      cell: (row) =>
        row.asked_by === subject ? (
          t.own
        ) : (
          <Button
            variant="secondary"
            size="sm"
            aria-label={t.approveOne(row.subject_request_id)}
            onClick={() => approve(row)}
          >
            {t.approve}
          </Button>
        ),
    },
    lineColumn('reason', titles.reason, (row) => row.reason ?? t.keyGone),
    timeColumn('at', titles.at, (row) => row.asked_time),
    timeColumn('ends', titles.ends, (row) => row.ends_time),
    { name: 'role', title: titles.role, text: (row) => row.asked_role },
    { name: 'workspace', title: titles.workspace, text: (row) => row.workspace },
  ];
}
