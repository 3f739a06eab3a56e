import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ReasonDialog } from '../../actions/reason-dialog';
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
  const [asked, ask] = useState<Reveal>();
  const columns = useRevealColumns(ask);
  const list = useCursorList<Reveal>(['reveals'], async (wanted, signal) => {
    const query = { state: 'open', ...wanted } as const;
    const page = await bodyOf(api.GET('/operator/v1/reveals', { params: { query }, signal }));
    return { rows: page.reveals, next: page.next_cursor };
  });
  const approve = async (reason: string): Promise<void> => {
    const path = { id: asked?.id ?? '' };
    const approval = api.POST('/operator/v1/reveals/{id}/approval', { params: { path }, body: { reason } });
    await readingAgain(approval, () => queries.invalidateQueries({ queryKey: ['reveals'] }));
  };
  return (
    <ListPage name="reveals" texts={t} list={list} columns={columns} keyOf={({ id }) => id} hasExport={false}>
      {asked && (
        <ReasonDialog
          title={t.approveOne(asked.subject_request_id)}
          help={t.approveHelp}
          confirm={t.approve}
          onConfirm={approve}
          onClose={() => ask(undefined)}
        />
      )}
    </ListPage>
  );
}
