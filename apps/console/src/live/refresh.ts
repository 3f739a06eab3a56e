import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import type { components } from '../api/operator';
import type { CursorPage } from '../lists/use-cursor-list';
import { keyOfChanged, withNewer, type Changed } from './changes';
import type { RowAllowance } from './row-allowance';

type Summary = components['schemas']['OperatorRequest'];
type ListData = InfiniteData<CursorPage<Summary>, string | undefined>;

interface Rows {
  readonly allowance: Pick<RowAllowance, 'take'>;
  readonly read: (one: Changed) => Promise<Summary>;
}

/** What became of a list after changes: `isOld` where it may lack requests, or rows of it were not read again. */
interface Refreshed {
  readonly isOld: boolean;
}

/** Reads again what is shown of requests that changed. A list keeps its place: its rows are replaced where they are. */
export async function refresh(client: QueryClient, changed: readonly Changed[], rows: Rows): Promise<Refreshed> {
  for (const { workspace, subject_request_id: id } of changed)
    void client.invalidateQueries({ queryKey: ['request', workspace, id.toLowerCase()] });
  const shown = shownRows(client);
  const known = changed.filter((one) => shown.has(keyOfChanged(one)));
  const asked = known.slice(0, rows.allowance.take(known.length));
  const answers = await Promise.allSettled(asked.map(rows.read));
  const read = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  // What is written counts as read: a list that could not be read further would forget why.
  if (read.length > 0) {
    const newer = new Map(read.map((row) => [keyOfChanged(row), row]));
    client.setQueriesData<ListData>({ queryKey: ['requests'] }, (data) =>
      data ? { ...data, pages: withNewer(data.pages, newer) } : data,
    );
  }
  return { isOld: read.length < changed.length };
}

function shownRows(client: QueryClient): ReadonlySet<string> {
  const lists = client.getQueriesData<ListData>({ queryKey: ['requests'] }).map(([, data]) => data);
  return new Set(lists.flatMap((data) => data?.pages.flatMap(({ rows }) => rows.map(keyOfChanged)) ?? []));
}
