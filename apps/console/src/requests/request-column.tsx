import { idColumn, type Column } from '../lists/column';
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
export const requestColumn = <Row extends OfRequest>(title: string): Column<Row> =>
  idColumn(title, { id: (row) => row.subject_request_id, path: pathOf });
