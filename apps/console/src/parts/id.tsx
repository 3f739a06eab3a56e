import { Link } from 'react-router';

interface IdProps {
  readonly id: string | null;
  /** Where it leads; absent: nowhere. */
  readonly path?: string | undefined;
}

/** An id, a digest or a word of the API; a dash where there is none. */
export function Id({ id, path }: IdProps) {
  if (id === null) return '–';
  return path === undefined ? (
    <span className="console-id">{id}</span>
  ) : (
    <Link className="console-id" to={path}>
      {id}
    </Link>
  );
}
