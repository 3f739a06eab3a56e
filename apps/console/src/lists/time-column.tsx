import { Time } from '../parts/time';
import type { Column } from './column';

/** A column of times: RFC 3339 in an export, and on the screen in the zone of the viewer. */
export const timeColumn = <Row,>(name: string, title: string, of: (row: Row) => string | null): Column<Row> => ({
  name,
  title,
  text: (row) => of(row) ?? '',
  cell: (row) => <Time at={of(row)} />,
});
