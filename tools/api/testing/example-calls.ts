interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly examples: Readonly<Record<string, { readonly value: unknown }>> }>
    >;
  };
  readonly responses: Readonly<Record<string, object>>;
}

/** An OpenAPI document as a service serves it, as far as its examples go. */
export interface Described {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** A call as an example of an operation has it; `example` is empty where the operation takes no body. */
export interface Call {
  readonly operation: string;
  readonly example: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** The status of success that is documented. */
  readonly success: number;
}

interface Calls {
  readonly calls: readonly Call[];
  /** Operations with the name of a parameter that has no example and is not among those that are known. */
  readonly unknown: readonly string[];
}

/**
 * Every example of every operation of a document, in its order. `known` holds values of parameters that only the
 * running service can name.
 */
export function callsOf({ paths }: Described, known: Readonly<Record<string, string>> = {}): Calls {
  const operations = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ template, method: method.toUpperCase(), operation })),
  );
  const valueOf = ({ name, example }: Parameter): string | undefined => known[name] ?? example;
  const lacks = ({ operationId, parameters = [] }: Operation) =>
    parameters.filter((parameter) => valueOf(parameter) === undefined).map(({ name }) => `${operationId}: ${name}`);
  const calls = operations
    .filter(({ operation }) => lacks(operation).length === 0)
    .flatMap(({ template, method, operation }) => {
      const { operationId, parameters = [], requestBody, responses } = operation;
      const success = Number(Object.keys(responses).find((status) => status.startsWith('2')));
      const query = parameters
        .filter((parameter) => parameter.in === 'query')
        .map((parameter): [string, string] => [parameter.name, valueOf(parameter) ?? '']);
      const filled = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
        parameters
          .filter((parameter) => parameter.name === name)
          .map(valueOf)
          .join(''),
      );
      const path = query.length === 0 ? filled : `${filled}?${new URLSearchParams(query).toString()}`;
      const bodies = requestBody
        ? Object.entries(requestBody.content['application/json']?.examples ?? {}).map(([example, { value }]) => ({
            example,
            body: value,
          }))
        : [{ example: '', body: undefined }];
      return bodies.map(({ example, body }) => ({ operation: operationId, example, method, path, body, success }));
    });
  return { calls, unknown: operations.flatMap(({ operation }) => lacks(operation)) };
}
