import { Link } from 'react-router';
import type { Answer } from '../api/answer';
import { useTexts } from '../language/language-context';
import type { Column } from '../lists/column';
import { timeColumn } from '../lists/time-column';
import { requestWords } from '../requests/texts';
import { participantTexts } from './texts';

export type Participant = Answer<'/operator/v1/participants'>['participants'][number];

/** What lists of participants show, and their export holds. */
export function useParticipantColumns(): readonly Column<Participant>[] {
  const { columns: titles, every } = useTexts(participantTexts);
  const words = useTexts(requestWords);
  return [
    { name: 'name', title: titles.name, text: (row) => row.name },
    {
      name: 'workspace',
      title: titles.workspace,
      text: (row) => row.workspace,
      cell: ({ workspace }) => <Link to={`/workspaces/${encodeURIComponent(workspace)}`}>{workspace}</Link>,
    },
    { name: 'domain', title: titles.domain, text: (row) => row.domain },
    { name: 'types', title: titles.types, text: (row) => row.types.map((type) => words.type[type]).join(', ') },
    { name: 'identities', title: titles.identities, text: (row) => row.identity_types?.join(', ') ?? every },
    timeColumn('created', titles.created, (row) => row.created_time),
  ];
}
