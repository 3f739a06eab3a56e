import type { ReactNode } from 'react';

/** A column of a list: what it shows, and what an export holds. */
export interface Column<Row> {
  readonly name: string;
  readonly title: string;
  /** The plain text, for exports, and for the screen where there is no `cell`. */
  readonly text: (row: Row) => string;
  readonly cell?: (row: Row) => ReactNode;
  /** Whether it holds buttons, which paper has not. */
  readonly isAction?: true;
}
