import type { Column } from '../lists/column';
import { idColumn } from '../lists/id-column';
import { Id } from '../parts/id';
import { requestPath } from './request-path';

/** What may belong to a request. */
interface OfRequest {
  readonly workspace: string | null;
  readonly subject_request_id: string | null;
}

const pathOf = ({ workspace, subject_request_id: id }: OfRequest): string | undefined =>
  workspace === null || id === null ? undefined : requestPath(workspace, id);

/** The request that something belongs to; a dash where it is of none. */
export const RequestOf = ({ of }: { readonly of: OfRequest }) => <Id id={of.subject_request_id} path={pathOf(of)} />;

/** A column of requests. */
export const requestColumn = <Row extends OfRequest>(name: string, title: string): Column<Row> =>
  idColumn(name, title, { id: (row) => row.subject_request_id, path: pathOf });
