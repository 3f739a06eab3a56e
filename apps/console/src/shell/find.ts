import { api, bodyOf } from '../api/client';
import { Problem } from '../api/problem';
import { requestPath } from '../requests/request-path';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const list = (query: { readonly id?: string; readonly controller?: string; readonly workspace?: string }) =>
  bodyOf(api.GET('/operator/v1/requests', { params: { query: { ...query, limit: 2 } } }));

const listPath = (name: string, value: string): string => `/requests?${new URLSearchParams({ [name]: value })}`;

/** Where the console shows what has this id or name; undefined where nothing has. */
export async function placeOf(text: string): Promise<string | undefined> {
  if (UUID.test(text)) return placeOfRequest(text);
  for (const name of ['workspace', 'controller'] as const) {
    const found = await list({ [name]: text }).catch(orNothing);
    if (found && found.requests.length > 0) return listPath(name, text);
  }
  return placeOfWorkspace(text);
}

/** Roles of some workspaces may not ask about another one, whether it is there or not. */
const NOTHING: readonly number[] = [403, 404];

const orNothing = (error: unknown): undefined => {
  if (error instanceof Problem && NOTHING.includes(error.status)) return undefined;
  throw error;
};

/** One that has no request yet. */
async function placeOfWorkspace(ws: string): Promise<string | undefined> {
  const found = await bodyOf(api.GET('/operator/v1/workspaces/{ws}', { params: { path: { ws } } })).catch(orNothing);
  return found?.workspace === ws ? `/workspaces/${encodeURIComponent(ws)}` : undefined;
}

/** The same id may stand in several workspaces. */
async function placeOfRequest(id: string): Promise<string | undefined> {
  const { requests } = await list({ id });
  const [first, second] = requests;
  if (!first) return undefined;
  return second ? listPath('id', id) : requestPath(first.workspace, first.subject_request_id);
}
