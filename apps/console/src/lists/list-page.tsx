import { Button, Toolbar, ToolbarContent, ToolbarItem } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useTexts } from '../language/language-context';
import { Page } from '../parts/page';
import type { Column } from './column';
import { ExportButton } from './export-button';
import { ListState } from './list-state';
import { ReadAgain } from './read-again';
import { listTexts } from './texts';
import { UnavailableNote } from './unavailable-note';
import type { CursorList } from './use-cursor-list';
import { VirtualTable } from './virtual-table';

interface ListPageProps<Row> {
  /** The first word of the key of the list. */
  readonly name: string;
  readonly texts: Readonly<Record<'title' | 'empty' | 'emptyHelp', string>> & { readonly intro?: string };
  readonly list: CursorList<Row>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Fields of a toolbar. */
  readonly filters?: ReactNode;
  readonly isFiltered?: boolean;
  /** Removes the filters; absent: no button does it. */
  readonly reset?: () => void;
  /** In place of the button that reads the list again. */
  readonly refresh?: ReactNode;
  /** Whether what it shows can be saved. */
  readonly hasExport?: boolean;
  /** Dialogs. */
  readonly children?: ReactNode;
}

/** A page with one list. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { name, list, columns, keyOf, filters, isFiltered = false, reset, hasExport = true, children } = props;
  const { title, intro, empty, emptyHelp } = props.texts;
  const t = useTexts(listTexts);
  return (
    <Page
      title={title}
      isLoading={list.isLoading}
      isFilling
      actions={
        <>
          {props.refresh ?? <ReadAgain queryKey={[name]} />}
          {hasExport && <ExportButton file={name} columns={columns} rows={list.rows} />}
        </>
      }
    >
      {intro !== undefined && <p className="console-paragraph">{intro}</p>}
      {filters !== undefined && (
        <Toolbar className="console-filters console-no-print">
          <ToolbarContent>
            {filters}
            {reset && isFiltered && (
              <ToolbarItem>
                <Button variant="link" onClick={reset}>
                  {t.reset}
                </Button>
              </ToolbarItem>
            )}
          </ToolbarContent>
        </Toolbar>
      )}
      <UnavailableNote services={list.unavailable} />
      <ListState list={list} isFiltered={isFiltered} empty={{ title: empty, help: emptyHelp }}>
        <VirtualTable
          name={title}
          columns={columns}
          rows={list.rows}
          keyOf={keyOf}
          hasMore={list.hasMore}
          more={list.more}
        />
      </ListState>
      {children}
    </Page>
  );
}
