import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { ExportButton } from '../../lists/export-button';
import { ListState } from '../../lists/list-state';
import { ReadAgain } from '../../lists/read-again';
import { useCursorList } from '../../lists/use-cursor-list';
import { VirtualTable } from '../../lists/virtual-table';
import { useParticipantColumns, type Participant } from '../../participants/columns';
import { participantTexts } from '../../participants/texts';
import { Page } from '../../parts/page';

const PAGE_ROWS = 100;

/** The systems that take part in requests, of all workspaces that the roles reach. */
export default function ParticipantsPage() {
  const t = useTexts(participantTexts);
  const columns = useParticipantColumns();
  const list = useCursorList<Participant>(['participants'], async (cursor, signal) => {
    const query = { limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) };
    const page = await bodyOf(api.GET('/operator/v1/participants', { params: { query }, signal }));
    return { rows: page.participants, next: page.next_cursor };
  });
  return (
    <Page
      title={t.title}
      isLoading={list.isLoading}
      isFilling
      actions={
        <>
          <ReadAgain queryKey={['participants']} />
          <ExportButton file="participants" columns={columns} rows={list.rows} />
        </>
      }
    >
      <p className="console-paragraph">{t.intro}</p>
      <ListState list={list} isFiltered={false} empty={{ title: t.empty, help: t.emptyHelp }}>
        <VirtualTable
          name={t.title}
          columns={columns}
          rows={list.rows}
          keyOf={({ workspace, name }) => `${workspace} ${name}`}
          hasMore={list.hasMore}
          more={list.more}
        />
      </ListState>
    </Page>
  );
}
