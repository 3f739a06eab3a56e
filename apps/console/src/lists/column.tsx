import type { LabelProps } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { Id } from '../parts/id';
import { StateLabel } from '../parts/state-label';
import { Time } from '../parts/time';

/** A column of a list: what it shows, and what an export holds. */
export interface Column<Row> {
  /** No other column of the list has it. */
  readonly title: string;
  /** The plain text, for exports, and for the screen where there is no `cell`. */
  readonly text: (row: Row) => string;
  readonly cell?: (row: Row) => ReactNode;
  /** Whether it holds buttons, which paper has not. */
  readonly isAction?: true;
}

/** A column of times: RFC 3339 in an export, and on the screen in the zone of the viewer. */
export const timeColumn = <Row,>(title: string, of: (row: Row) => string | null): Column<Row> => ({
  title,
  text: (row) => of(row) ?? '',
  cell: (row) => <Time at={of(row)} />,
});

/** What a column of ids reads from a row. */
interface IdOf<Row> {
  readonly id: (row: Row) => string | null;
  /** Where it leads; undefined: nowhere. */
  readonly path?: (row: Row) => string | undefined;
}

/** A column of ids or digests. */
export const idColumn = <Row,>(title: string, of: IdOf<Row>): Column<Row> => ({
  title,
  text: (row) => of.id(row) ?? '',
  cell: (row) => <Id id={of.id(row)} path={of.path?.(row)} />,
});

/** A column of words of the API, as filters and documents have them: in every language the same, and marked as such. */
export const codeColumn = <Row,>(title: string, of: (row: Row) => string | null): Column<Row> =>
  idColumn(title, { id: of });

/** A column of lines that people wrote, of which the screen shows as much as there is room for. */
export const lineColumn = <Row,>(title: string, text: (row: Row) => string): Column<Row> => ({
  title,
  text,
  cell: (row) => (
    <span className="console-line" title={text(row)}>
      {text(row)}
    </span>
  ),
});

/** A column of states, each with its word and its look. */
export const stateColumn = <Row, State extends string>(
  title: string,
  of: (row: Row) => State,
  words: Readonly<Record<State, string>>,
  looks: Readonly<Record<State, LabelProps['status']>>,
): Column<Row> => ({
  title,
  text: (row) => words[of(row)],
  cell: (row) => <StateLabel status={looks[of(row)]}>{words[of(row)]}</StateLabel>,
});
