import { type ApiPart, nextCursor, object, schemaRef } from '@opendsr-service/edge';
import { queryParameter, TEXT } from './operation-parts';
import { LARGEST_PAGE, PAGE } from './query-reader';

/** How many of what a page has. */
export const limitParameterOf = (what: string): ApiPart =>
  queryParameter('limit', { type: 'integer', minimum: 1, maximum: LARGEST_PAGE, default: PAGE }, `${what} of a page.`);

/** The parameters of every list; `what` it has. */
export const pageParametersOf = (what: string): readonly ApiPart[] => [
  limitParameterOf(what),
  queryParameter('cursor', TEXT, '`next_cursor` of the page before, with the same other parameters.'),
];
export const pageParameters = pageParametersOf('Entries');

export const workspaceParameter = queryParameter(
  'workspace',
  TEXT,
  'Of this workspace alone. Without it, of all that the roles of the caller reach.',
);

export const unavailableServices = {
  type: 'array',
  items: { type: 'string' },
  description: 'Services that did not answer in time: what they have is missing.',
} as const;

interface Listed {
  readonly name: string;
  /** The name of its schema. */
  readonly item: string;
  readonly description: string;
  /** What the list says of its items. */
  readonly items?: string;
}

/** The schema of a page; `more` are further properties, all of which it has. */
export const pageSchema = (
  { name, item, description, items = 'It may be short, and even empty, with a further page.' }: Listed,
  more: Readonly<Record<string, ApiPart>> = {},
): ApiPart =>
  object(description, {
    [name]: { type: 'array', items: schemaRef(item), description: items },
    next_cursor: nextCursor,
    ...more,
  });
