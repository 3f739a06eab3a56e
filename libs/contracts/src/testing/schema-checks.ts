import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

const DOCUMENT = 'document';

/** Checks values against the JSON Schemas (2020-12) of a document, such as an OpenAPI one. */
export class SchemaChecks {
  /** To compile each schema once, and as it is, takes less than its few checks could save. */
  private readonly ajv = new Ajv2020({ allErrors: true, strict: false, inlineRefs: false, code: { optimize: false } });

  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: object) {
    (addFormats as unknown as (instance: Ajv2020) => void)(this.ajv);
    this.ajv.addSchema(document, DOCUMENT);
  }

  /** `pointer`: a JSON pointer to the schema, such as `/components/schemas/Error`. */
  faults(pointer: string, value: unknown): string[] {
    const check = this.compiled.get(pointer) ?? this.ajv.compile({ $ref: `${DOCUMENT}#${encodeURI(pointer)}` });
    this.compiled.set(pointer, check);
    return check(value)
      ? []
      : (check.errors ?? []).map(
          ({ instancePath, message, params }) => `${instancePath || '/'} ${message ?? ''} ${JSON.stringify(params)}`,
        );
  }
}
