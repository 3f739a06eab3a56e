import { Id } from '../parts/id';
import type { Column } from './column';

/** What a column of ids reads from a row. */
interface IdOf<Row> {
  readonly id: (row: Row) => string | null;
  /** Where it leads; undefined: nowhere. */
  readonly path?: (row: Row) => string | undefined;
}

/** A column of ids or digests. */
export const idColumn = <Row,>(name: string, title: string, of: IdOf<Row>): Column<Row> => ({
  name,
  title,
  text: (row) => of.id(row) ?? '',
  cell: (row) => <Id id={of.id(row)} path={of.path?.(row)} />,
});
