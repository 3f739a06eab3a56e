import { api, bodyOf } from '../../api/client';
import { useTexts } from '../../language/language-context';
import { ListPage } from '../../lists/list-page';
import { useCursorList } from '../../lists/use-cursor-list';
import { useParticipantColumns, type Participant } from '../../participants/columns';
import { participantTexts } from '../../participants/texts';

/** The systems that take part in requests, of all workspaces that the roles reach. */
export default function ParticipantsPage() {
  const t = useTexts(participantTexts);
  const columns = useParticipantColumns();
  const list = useCursorList<Participant>(['participants'], async (query, signal) => {
    const page = await bodyOf(api.GET('/operator/v1/participants', { params: { query }, signal }));
    return { rows: page.participants, next: page.next_cursor };
  });
  return (
    <ListPage
      name="participants"
      texts={t}
      list={list}
      columns={columns}
      keyOf={({ workspace, name }) => `${workspace} ${name}`}
    />
  );
}
