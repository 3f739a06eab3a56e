import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ReasonDialog } from '../../actions/reason-dialog';
import { api, bodyOf, readingAgain } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { ListState } from '../../lists/list-state';
import { ReadAgain } from '../../lists/read-again';
import { useCursorList } from '../../lists/use-cursor-list';
import { VirtualTable } from '../../lists/virtual-table';
import { Page } from '../../parts/page';
import { useRevealColumns, type Reveal } from './columns';
import { revealTexts } from './texts';

const PAGE_ROWS = 100;

/** Wishes to see identities that a second person must approve. */
export default function RevealsPage() {
  const t = useTexts(revealTexts);
  const queries = useQueryClient();
  const [asked, ask] = useState<Reveal>();
  const columns = useRevealColumns(ask);
  const list = useCursorList<Reveal>(['reveals'], async (cursor, signal) => {
    const query = { state: 'open' as const, limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) };
    const page = await bodyOf(api.GET('/operator/v1/reveals', { params: { query }, signal }));
    return { rows: page.reveals, next: page.next_cursor };
  });
  const approve = async (reason: string): Promise<void> => {
    const path = { id: asked?.id ?? '' };
    const approval = api.POST('/operator/v1/reveals/{id}/approval', { params: { path }, body: { reason } });
    await readingAgain(approval, () => queries.invalidateQueries({ queryKey: ['reveals'] }));
  };
  return (
    <Page title={t.title} isLoading={list.isLoading} isFilling actions={<ReadAgain queryKey={['reveals']} />}>
      <p className="console-paragraph">{t.intro}</p>
      <ListState list={list} isFiltered={false} empty={{ title: t.empty, help: t.emptyHelp }}>
        <VirtualTable
          name={t.title}
          columns={columns}
          rows={list.rows}
          keyOf={({ id }) => id}
          hasMore={list.hasMore}
          more={list.more}
        />
      </ListState>
      {asked && (
        <ReasonDialog
          title={t.approveOne(asked.subject_request_id)}
          help={t.approveHelp}
          confirm={t.approve}
          onConfirm={approve}
          onClose={() => ask(undefined)}
        />
      )}
    </Page>
  );
}
