import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import type { Column } from './column';

export interface PlainTableProps<Row> {
  /** The accessible name. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What is said where there is no row. */
  readonly empty?: string;
}

/** A table of a few rows, all of which are shown. */
export function PlainTable<Row>({ name, columns, rows, keyOf, empty }: PlainTableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <p>{empty}</p>;
  return (
    <div className="console-table" role="region" aria-label={name} tabIndex={0}>
      <Table aria-label={name} role="table" variant="compact" gridBreakPoint="">
        <Thead>
          <Tr>
            {columns.map(({ title, isAction }) => (
              <Th key={title} modifier="nowrap" className={isAction && 'console-no-print'}>
                {title}
              </Th>
            ))}
          </Tr>
        </Thead>
        <Tbody>
          {rows.map((row) => (
            <Tr key={keyOf(row)}>
              {columns.map(({ title, cell, text, isAction }) => (
                <Td key={title} className={isAction && 'console-no-print'}>
                  {(cell ?? text)(row)}
                </Td>
              ))}
            </Tr>
          ))}
        </Tbody>
      </Table>
    </div>
  );
}
