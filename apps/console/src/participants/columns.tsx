import { Link } from 'react-router';
import type { Answer } from '../api/answer';
import { useTexts } from '../language/language-context';
import { timeColumn, type Column } from '../lists/column';
import { requestWords } from '../requests/texts';
import { participantTexts } from './texts';

export type Participant = Answer<'/operator/v1/participants'>['participants'][number];

/** What lists of participants show, and their export holds. */
export function useParticipantColumns(): readonly Column<Participant>[] {
  const { columns: titles, every } = useTexts(participantTexts);
  const words = useTexts(requestWords);
  return [
    { title: titles.name, text: (row) => row.name },
    {
      title: titles.workspace,
      text: (row) => row.workspace,
      cell: ({ workspace }) => <Link to={`/workspaces/${encodeURIComponent(workspace)}`}>{workspace}</Link>,
    },
    { title: titles.domain, text: (row) => row.domain },
    { title: titles.types, text: (row) => row.types.map((type) => words.type[type]).join(', ') },
    { title: titles.identities, text: (row) => row.identity_types?.join(', ') ?? every },
    timeColumn(titles.created, (row) => row.created_time),
  ];
}
