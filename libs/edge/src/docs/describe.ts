import type { Type } from '@nestjs/common';
import type { ClassConstructor } from 'class-transformer';
import type { ApiError } from '../api-error';
import type { ErrorStyle } from '../error-body';

/** A piece of an OpenAPI 3.1 document, such as a JSON Schema. */
export type ApiPart = Readonly<Record<string, unknown>>;

/** One operation, as far as the code cannot say it by itself. */
export interface DescribedOperation extends ApiPart {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** The answers of success, by status. */
  readonly responses: Readonly<Record<number, ApiPart>>;
  /** The errors that a caller must reckon with here; their statuses, headers and bodies become the other answers, and examples of them. */
  readonly errors: readonly ApiError[];
}

/** A body as its class checks it. What the decorators say is not repeated; every field has a sentence for its reader. */
export interface DescribedBody<T extends object = object> {
  readonly type: ClassConstructor<T>;
  readonly description: string;
  /** `internal`: no field of the body. What is given beside the description is added to what the decorators say. */
  readonly fields: { readonly [K in keyof T]-?: (ApiPart & { readonly description: string }) | 'internal' };
  /** What holds of the whole body and no decorator says, such as which fields stand for each other. */
  readonly rules?: ApiPart;
  /** Fields that decide which rules of the class hold (`@ValidateIf`). */
  readonly given?: Partial<T>;
}

/** All that an OpenAPI document is made of. `operations` are named by method and path, such as `GET /v2/requests/{srid}`. */
export interface ApiDescription {
  /** The document's name: it is served at `/openapi/<name>.json`. */
  readonly name: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly errorStyle: ErrorStyle;
  readonly securitySchemes: ApiPart;
  readonly controllers: readonly Type[];
  readonly operations: Readonly<Record<string, DescribedOperation>>;
  readonly schemas: Readonly<Record<string, ApiPart>>;
  readonly bodies: Readonly<Record<string, DescribedBody>>;
}

/** A reference to a schema or a body of the description. */
export const schemaRef = (name: string): ApiPart => ({ $ref: `#/components/schemas/${name}` });

/** Content of JSON with a schema of the description, and examples by name. */
export const jsonContent = (schema: ApiPart, examples: Readonly<Record<string, unknown>> = {}): ApiPart => ({
  'application/json': {
    schema,
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  },
});

/** Checks the fields of a described body against its class, and forgets which class it was. */
export const describeBody = <T extends object>(body: DescribedBody<T>): DescribedBody => body;
