import {
  badRequest,
  errorOfStatus,
  forbidden,
  invalid,
  jsonContent,
  notFound,
  schemaRef,
  tooManyRequests,
  unavailable,
  type ApiPart,
} from '@opendsr-service/edge';
import { forgedCall } from '../access/authenticate-operator';
import { operatorUnknown } from '../access/operator-caller';
import { taggedHeaders } from './if-match';

export const TEXT: ApiPart = { type: 'string' };
export const TIME: ApiPart = { type: 'string', format: 'date-time' };
export const UUID: ApiPart = { type: 'string', format: 'uuid' };

export const queryParameter = (name: string, schema: ApiPart, description: string): ApiPart => ({
  ...{ name, in: 'query', schema, description },
});

interface PathExample {
  readonly schema?: ApiPart;
  readonly example?: string;
}

export const pathParameter = (
  name: string,
  description: string,
  { schema = TEXT, ...more }: PathExample = {},
): ApiPart => ({
  ...{ name, in: 'path', required: true, schema, description, ...more },
});

export const workspacePath = pathParameter('ws', 'The workspace.', { example: 'acme' });

export const requestPath: readonly ApiPart[] = [
  workspacePath,
  pathParameter('srid', 'The subject request id, in any case.', {
    schema: UUID,
    example: '475974fa-6b42-4370-bb56-b5d845686bb5',
  }),
];

type Examples = Readonly<Record<string, unknown>>;

/** An answer with the schema of this name. */
export const answer = (description: string, schema: string, examples: Examples): ApiPart => ({
  description,
  content: jsonContent(schemaRef(schema), examples),
});

/** One with an entity tag. */
export const taggedAnswer = (description: string, schema: string, examples: Examples): ApiPart => ({
  description,
  headers: taggedHeaders,
  content: jsonContent(schemaRef(schema), examples),
});

export const bodyOf = (schema: string, example: object): ApiPart => ({
  required: true,
  content: jsonContent(schemaRef(schema), { some: example }),
});

export const limitFault = badRequest([invalid('limit must be from 1 to 200.')]);

/** What every operation that needs credentials may answer. */
export const operatorErrors = [operatorUnknown(), forbidden(), tooManyRequests(30), unavailable(1)] as const;

/** What a change with a reason may answer as well. */
export const changeErrors = [
  badRequest([invalid('reason must be longer than or equal to 1 and shorter than or equal to 256 characters')]),
  forgedCall(),
  notFound(),
  errorOfStatus(413),
  errorOfStatus(415),
  ...operatorErrors,
] as const;
