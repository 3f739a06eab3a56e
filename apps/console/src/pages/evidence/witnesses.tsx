import type { Answer } from '../../api/answer';
import { useTexts } from '../../language/language-context';
import { codeColumn, timeColumn, type Column } from '../../lists/column';
import { TableSection } from '../../lists/table-section';
import { StateLabel } from '../../parts/state-label';
import { evidenceTexts } from './texts';

type Witness = Answer<'/operator/v1/transparency'>['witnesses'][number];

/** Servers of others that sign checkpoints too. */
export function Witnesses({ witnesses }: { readonly witnesses: readonly Witness[] }) {
  const t = useTexts(evidenceTexts);
  const columns: readonly Column<Witness>[] = [
    { title: t.witness, text: ({ name }) => name },
    {
      title: t.cosigned,
      text: ({ has_cosigned: has }) => (has ? t.yes : t.no),
      cell: ({ has_cosigned: has }) => (
        <StateLabel status={has ? 'success' : 'warning'}>{has ? t.yes : t.no}</StateLabel>
      ),
    },
    timeColumn(t.since, (row) => row.since),
    codeColumn(t.reason, ({ reason }) => reason),
  ];
  return (
    <TableSection
      title={t.witnesses}
      empty={t.noWitness}
      columns={columns}
      rows={witnesses}
      keyOf={({ name }) => name}
    />
  );
}
