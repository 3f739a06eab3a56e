import { schemaRef, type ApiPart } from '@opendsr-service/edge';
import { LARGEST_PAGE, PAGE } from './query-reader';

export const queryParameter = (name: string, schema: ApiPart, description: string): ApiPart => ({
  ...{ name, in: 'query', schema, description },
});

/** The parameters of every list. */
export const pageParameters: readonly ApiPart[] = [
  queryParameter('limit', { type: 'integer', minimum: 1, maximum: LARGEST_PAGE, default: PAGE }, 'Entries of a page.'),
  queryParameter('cursor', { type: 'string' }, '`next_cursor` of the page before, with the same other parameters.'),
];

export const workspaceParameter = queryParameter(
  'workspace',
  { type: 'string' },
  'Of this workspace alone. Without it, of all that the roles of the caller reach.',
);

export const unavailableServices: ApiPart = {
  type: 'array',
  items: { type: 'string' },
  description: 'Services that did not answer in time: what they have is missing.',
};

interface Listed {
  readonly name: string;
  /** The name of its schema. */
  readonly item: string;
  readonly description: string;
}

/** The schema of a page; `more` are further properties, all of which it has. */
export const pageSchema = (
  { name, item, description }: Listed,
  more: Readonly<Record<string, ApiPart>> = {},
): ApiPart => ({
  type: 'object',
  description,
  additionalProperties: false,
  required: [name, 'next_cursor', ...Object.keys(more)],
  properties: {
    [name]: {
      type: 'array',
      items: schemaRef(item),
      description: 'It may be short, and even empty, with a further page.',
    },
    next_cursor: { type: ['string', 'null'], description: 'For the next page; null where the list ends.' },
    ...more,
  },
});
