import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client';
import type { components } from '../api/operator';
import type { CursorPage } from '../lists/use-cursor-list';
import { keyOfChanged, withNewer, type Changed } from './changes';

type Summary = components['schemas']['OperatorRequest'];
type ListData = InfiniteData<CursorPage<Summary>, string | undefined>;

/** Rows that are read again at once; with more the viewer reads the list again. */
const MOST_ROWS = 20;

/** What became of a list after changes: `isOld` where it may lack requests, or rows of it were not read again. */
interface Refreshed {
  readonly isOld: boolean;
}

/** Reads again what is shown of requests that changed. A list keeps its place: its rows are replaced where they are. */
export async function refresh(client: QueryClient, changed: readonly Changed[]): Promise<Refreshed> {
  for (const { workspace, subject_request_id: id } of changed)
    void client.invalidateQueries({ queryKey: ['request', workspace, id.toLowerCase()] });
  const shown = shownRows(client);
  const known = changed.filter((one) => shown.has(keyOfChanged(one)));
  const newer = new Map(await Promise.all(known.slice(0, MOST_ROWS).map(readRow)));
  // What is written counts as read: a list that could not be read further would forget why.
  if (newer.size > 0)
    client.setQueriesData<ListData>({ queryKey: ['requests'] }, (data) =>
      data ? { ...data, pages: withNewer(data.pages, newer) } : data,
    );
  return { isOld: known.length < changed.length || known.length > MOST_ROWS };
}

function shownRows(client: QueryClient): ReadonlySet<string> {
  const lists = client.getQueriesData<ListData>({ queryKey: ['requests'] }).map(([, data]) => data);
  return new Set(lists.flatMap((data) => data?.pages.flatMap(({ rows }) => rows.map(keyOfChanged)) ?? []));
}

async function readRow(one: Changed): Promise<[string, Summary]> {
  const path = { ws: one.workspace, srid: one.subject_request_id };
  const row = await bodyOf(api.GET('/operator/v1/requests/{ws}/{srid}', { params: { path } }));
  return [keyOfChanged(one), row];
}
