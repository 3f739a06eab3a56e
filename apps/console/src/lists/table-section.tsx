import type { ReactNode } from 'react';
import { Section } from '../parts/section';
import { PlainTable, type PlainTableProps } from './plain-table';

interface TableSectionProps<Row> extends Omit<PlainTableProps<Row>, 'name'> {
  readonly title: string;
  readonly actions?: ReactNode;
}

/** A part of a page that is one table. */
export const TableSection = <Row,>({ title, actions, ...table }: TableSectionProps<Row>) => (
  <Section title={title} actions={actions}>
    <PlainTable name={title} {...table} />
  </Section>
);
