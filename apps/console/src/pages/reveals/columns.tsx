import { Button } from '@patternfly/react-core';
import type { Answer } from '../../api/answer';
import { useTexts } from '../../language/language-context';
import { lineColumn, timeColumn, type Column } from '../../lists/column';
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
    requestColumn(titles.request),
    { title: titles.by, text: (row) => row.asked_by },
    {
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
    lineColumn(titles.reason, (row) => row.reason ?? t.keyGone),
    timeColumn(titles.at, (row) => row.asked_time),
    timeColumn(titles.ends, (row) => row.ends_time),
    { title: titles.role, text: (row) => row.asked_role },
    { title: titles.workspace, text: (row) => row.workspace },
  ];
}
