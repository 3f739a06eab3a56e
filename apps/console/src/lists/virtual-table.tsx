import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { Column } from './column';

const ROW_PX = 41;
const ROWS_AHEAD = 15;
/** The next page is asked for when so few rows are left below. */
const ROWS_BEFORE_END = 60;

interface VirtualTableProps<Row> {
  /** The accessible name. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly hasMore: boolean;
  readonly more: () => void;
}

/** A table that holds only the rows in sight, whatever the length of the list. */
export function VirtualTable<Row>({ name, columns, rows, keyOf, hasMore, more }: VirtualTableProps<Row>) {
  const scrolled = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrolled.current,
    estimateSize: () => ROW_PX,
    overscan: ROWS_AHEAD,
    getItemKey: (at) => keyOf(rows[at] as Row),
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - ROWS_BEFORE_END) more();
  }, [hasMore, last, rows.length, more]);
  const above = shown[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <div ref={scrolled} className="console-scroll" role="region" aria-label={name} tabIndex={0}>
      <Table
        aria-label={name}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        role="table"
        variant="compact"
        gridBreakPoint=""
        isStickyHeader
      >
        <Thead>
          <Tr aria-rowindex={1}>
            {columns.map((column) => (
              <Th key={column.title} modifier="nowrap">
                {column.title}
              </Th>
            ))}
          </Tr>
        </Thead>
        <Tbody>
          <Space height={above} columns={columns.length} />
          {shown.map(({ index, key }) => (
            <Tr key={key} aria-rowindex={index + 2}>
              {columns.map((column) => (
                <Td key={column.title} modifier="nowrap">
                  {(column.cell ?? column.text)(rows[index] as Row)}
                </Td>
              ))}
            </Tr>
          ))}
          <Space height={below} columns={columns.length} />
        </Tbody>
      </Table>
    </div>
  );
}

/** Stands for the rows that are out of sight. */
const Space = ({ height, columns }: { readonly height: number; readonly columns: number }) =>
  height > 0 && (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
