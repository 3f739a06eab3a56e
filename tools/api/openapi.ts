import { STATUS_CODES } from 'node:http';
import {
  errorBody,
  errorContentType,
  errorOfStatus,
  ingestErrorBody,
  jsonContent,
  problemBody,
  schemaRef,
  type ApiDescription,
  type ApiError,
  type ApiPart,
  type DescribedOperation,
} from '@opendsr-service/edge';
import { bodySchemas } from './body-schema';
import { routesOf } from './routes';

const REQUEST_ID = { $ref: '#/components/headers/RequestId' };

/** Headers that errors carry, written as documents write them, and what they mean. */
const ERROR_HEADERS: Readonly<Record<string, ApiPart>> = {
  'Retry-After': { schema: { type: 'integer', minimum: 1 }, description: 'Seconds to wait before the next try.' },
  'WWW-Authenticate': { schema: { type: 'string' }, description: 'How to prove oneself.' },
  Allow: {
    schema: { type: 'string' },
    description: 'The methods of the address, with 405.',
  },
};

/**
 * The OpenAPI 3.1 document of an API. Routes come from the controllers, bodies from their classes, errors from the code that answers
 * them. Throws where a route has no description, or a description no route.
 */
export function openApi(api: ApiDescription): object {
  checkRoutes(api);
  const errors = new Errors(api);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [route, operation] of Object.entries(api.operations)) {
    const [method = '', path = ''] = route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(operation, errors) };
  }
  return {
    openapi: '3.1.1',
    info: { ...api.info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/', description: 'The host that serves this document.' }],
    security: api.security ?? [{ basic: [] }],
    tags: api.tags,
    paths,
    components: {
      securitySchemes: api.securitySchemes,
      headers: {
        RequestId: {
          required: true,
          schema: { type: 'string' },
          description: 'The id of this call in our logs: the `X-Request-Id` of the caller if it is valid.',
        },
      },
      responses: errors.shared(),
      schemas: { ...bodySchemas(api.bodies), ...api.schemas },
    },
  };
}

function checkRoutes({ controllers, operations, name }: ApiDescription): void {
  const routes = controllers.flatMap(routesOf);
  const described = Object.keys(operations);
  const faults = [
    ...routes.filter((route) => !described.includes(route)).map((route) => `${route} is not described`),
    ...described.filter((route) => !routes.includes(route)).map((route) => `${route} is described, but no route`),
  ];
  if (faults.length > 0) throw new Error(`${name}: ${faults.join('; ')}`);
}

function operationOf(operation: DescribedOperation, errors: Errors): ApiPart {
  const own = Object.entries(operation).filter(([part]) => part !== 'errors');
  const successes = Object.entries(operation.responses).map(([status, answer]) => [
    status,
    { ...answer, headers: { ...(answer.headers as object), 'X-Request-Id': REQUEST_ID } },
  ]);
  return {
    ...Object.fromEntries(own),
    responses: {
      ...Object.fromEntries(successes),
      ...errors.responsesOf(operation.operationId),
      default: errors.otherResponse(),
    },
  };
}

const ERROR_BODIES = { dsr: errorBody, ingest: ingestErrorBody, problem: problemBody } as const;

/** The error answers of a document. One that is the same wherever its status is given is written down once. */
class Errors {
  private readonly answers: Map<string, Map<number, ApiPart>>;
  private readonly sharedStatuses: number[];

  constructor(private readonly api: ApiDescription) {
    this.answers = new Map(
      Object.values(api.operations).map(({ operationId, errors }) => [operationId, this.answersOf(errors)]),
    );
    const all = [...this.answers.values()].flatMap((byStatus) => [...byStatus]);
    const forms = (status: number) =>
      new Set(all.filter(([other]) => other === status).map(([, answer]) => JSON.stringify(answer)));
    this.sharedStatuses = [...new Set(all.map(([status]) => status))]
      .filter((status) => forms(status).size === 1)
      .sort();
  }

  /** The error answers of an operation, by status. */
  responsesOf(operationId: string): Record<number, ApiPart> {
    const own = [...(this.answers.get(operationId) ?? [])];
    return Object.fromEntries(
      own.map(([status, answer]) => [
        status,
        this.sharedStatuses.includes(status) ? { $ref: `#/components/responses/${nameOf(status)}` } : answer,
      ]),
    );
  }

  otherResponse(): ApiPart {
    return { $ref: '#/components/responses/Other' };
  }

  shared(): Record<string, unknown> {
    const all = new Map([...this.answers.values()].flatMap((byStatus) => [...byStatus]));
    const description =
      'Every other status that is no success, in the same body: 405 with `Allow`, 408, 414, 417, 431, 500, 503.';
    const headers = { ...ERROR_HEADERS, 'X-Request-Id': { ...REQUEST_ID } };
    return {
      ...Object.fromEntries(this.sharedStatuses.map((status) => [nameOf(status), all.get(status)])),
      Other: { description, headers, content: this.contentOf(schemaRef('Error')) },
    };
  }

  private contentOf(...[schema, examples]: Parameters<typeof jsonContent>): ApiPart {
    const [mediaType = ''] = errorContentType(this.api.errorStyle).split(';');
    return { [mediaType]: Object.values(jsonContent(schema, examples))[0] };
  }

  private answersOf(errors: readonly ApiError[]): Map<number, ApiPart> {
    const statuses = [...new Set(errors.map(({ status }) => status))].sort();
    return new Map(
      statuses.map((status) => [status, this.answerOf(errors.filter((error) => error.status === status))]),
    );
  }

  private answerOf(errors: readonly ApiError[]): ApiPart {
    const bodyOf = ERROR_BODIES[this.api.errorStyle];
    const given = Object.keys(errors[0]?.headers ?? {});
    const headers = Object.entries(ERROR_HEADERS)
      .filter(([name]) => given.includes(name.toLowerCase()))
      .map(([name, header]) => [name, { required: true, ...header }]);
    return {
      description: [...new Set(errors.map(meaningOf))].join(' Or: '),
      headers: { ...Object.fromEntries(headers), 'X-Request-Id': REQUEST_ID },
      content: this.contentOf(
        schemaRef('Error'),
        Object.fromEntries(errors.map((error, n) => [`error${n + 1}`, bodyOf(error)])),
      ),
    };
  }
}

/** Faults in data vary; every other reason has its own sentence. */
function meaningOf({ status, faults: [fault] }: ApiError): string {
  const [general] = errorOfStatus(status).faults;
  return (status === 400 && fault?.reason === general?.reason ? general?.message : fault?.message) ?? '';
}

const nameOf = (status: number): string => (STATUS_CODES[status] ?? String(status)).replaceAll(/\W/g, '');
