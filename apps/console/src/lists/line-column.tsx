import type { Column } from './column';

/** A column of lines that people wrote, of which the screen shows as much as there is room for. */
export const lineColumn = <Row,>(name: string, title: string, text: (row: Row) => string): Column<Row> => ({
  name,
  title,
  text,
  cell: (row) => (
    <span className="console-line" title={text(row)}>
      {text(row)}
    </span>
  ),
});
