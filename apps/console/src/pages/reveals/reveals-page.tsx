import { useQueryClient } from '@tanstack/react-query';
import { useReasonDialog } from '../../actions/use-reason-dialog';
import { api, bodyOf, readingAgain } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { ListPage } from '../../lists/list-page';
import { useCursorList } from '../../lists/use-cursor-list';
import { useRevealColumns, type Reveal } from './columns';
import { revealTexts } from './texts';

/** Wishes to see identities that a second person must approve. */
export default function RevealsPage() {
  const t = useTexts(revealTexts);
  const queries = useQueryClient();
  const { dialog, ask } = useReasonDialog();
  const approve = async (id: string, reason: string): Promise<void> => {
    const approval = api.POST('/operator/v1/reveals/{id}/approval', { params: { path: { id } }, body: { reason } });
    await readingAgain(approval, () => queries.invalidateQueries({ queryKey: ['reveals'] }));
  };
  const columns = useRevealColumns(({ id, subject_request_id: request }) =>
    ask({
      ...{ label: t.approve, title: t.approveOne(request), help: t.approveHelp },
      onConfirm: (reason) => approve(id, reason),
    }),
  );
  const list = useCursorList<Reveal>(['reveals'], async (wanted, signal) => {
    const query = { state: 'open', ...wanted } as const;
    const page = await bodyOf(api.GET('/operator/v1/reveals', { params: { query }, signal }));
    return { rows: page.reveals, next: page.next_cursor };
  });
  return (
    <ListPage name="reveals" texts={t} list={list} columns={columns} keyOf={({ id }) => id} hasExport={false}>
      {dialog}
    </ListPage>
  );
}
