import { Button } from '@patternfly/react-core';
import DownloadIcon from '@patternfly/react-icons/dist/esm/icons/download-icon';
import { useTexts } from '../language/language-context';
import { saveFile } from '../parts/save-file';
import type { Column } from './column';
import { csvOf } from './csv';
import { listTexts } from './texts';

interface ExportButtonProps<Row> {
  /** Without its end: `requests` becomes `requests.csv`. */
  readonly file: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** Saves what a list shows, as far as it was read. */
export function ExportButton<Row>({ file, columns, rows }: ExportButtonProps<Row>) {
  const t = useTexts(listTexts);
  const save = (): void => {
    const titles = columns.map(({ title }) => title);
    const cells = rows.map((row) => columns.map(({ text }) => text(row)));
    saveFile(`${file}.csv`, csvOf(titles, cells), 'text/csv;charset=utf-8');
  };
  return (
    <Button variant="secondary" icon={<DownloadIcon />} onClick={save} isDisabled={rows.length === 0}>
      {t.export}
    </Button>
  );
}
