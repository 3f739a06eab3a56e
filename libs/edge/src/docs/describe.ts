import type { Type } from '@nestjs/common';
import type { ClassConstructor } from 'class-transformer';
import type { ApiError } from '../api-error';
import type { ErrorStyle } from '../error-body';

/** A part of an OpenAPI 3.1 document. */
export type ApiPart = Readonly<Record<string, unknown>>;

/** What the code of an operation does not show. */
export interface DescribedOperation extends ApiPart {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly responses: Readonly<Record<number, ApiPart>>;
  /** Errors to expect; they become the other answers, with examples. */
  readonly errors: readonly ApiError[];
}

/** A body as its class checks it; adds a description of each field to what the decorators declare. */
export interface DescribedBody<T extends object = object> {
  readonly type: ClassConstructor<T>;
  readonly description: string;
  /** `internal`: not a field of the body. Other parts are added to what the decorators declare. */
  readonly fields: { readonly [K in keyof T]-?: (ApiPart & { readonly description: string }) | 'internal' };
  readonly rules?: ApiPart;
  /** Fields that select the rules of the class (`@ValidateIf`). */
  readonly given?: Partial<T>;
}

/** The source of an OpenAPI document. Keys of `operations` are like `GET /v2/requests/{srid}`. */
export interface ApiDescription {
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
  /** The ways to prove oneself, where it is not `basic`. */
  readonly security?: readonly ApiPart[];
  readonly controllers: readonly Type[];
  readonly operations: Readonly<Record<string, DescribedOperation>>;
  readonly schemas: Readonly<Record<string, ApiPart>>;
  readonly bodies: Readonly<Record<string, DescribedBody>>;
}

export const schemaRef = (name: string): ApiPart => ({ $ref: `#/components/schemas/${name}` });

export const jsonContent = (schema: ApiPart, examples: Readonly<Record<string, unknown>> = {}): ApiPart => ({
  'application/json': {
    schema,
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  },
});

/** Checks the fields of a body against its class, then erases the class from the type. */
export const describeBody = <T extends object>(body: DescribedBody<T>): DescribedBody => body;
