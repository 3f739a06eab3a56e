import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import {
  customResources,
  KUBERNETES_KINDS,
  kubernetesDefinitions,
  type CustomResource,
  type KubernetesVersion,
  type Schema,
} from './published';

const definition = (name: string) => ({ $ref: `kubernetes#/$defs/${name}` });
const metadata = definition('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');

/** Patterns are Go's, which may begin with flags. */
const regExp = Object.assign(
  (pattern: string) => new RegExp(pattern.replace('(?i)', ''), pattern.includes('(?i)') ? 'iu' : 'u'),
  { code: 'goRegExp' },
);

const mapOf = (schemas: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]));

/** The schema of a custom resource as the API server reads it under strict validation: a field that it does not know is refused. */
function closed(schema: Schema): object {
  const { type, nullable, properties, additionalProperties, items, ...rest } = schema;
  const keepsUnknown = rest['x-kubernetes-preserve-unknown-fields'] === true;
  const isClosed = properties !== undefined && additionalProperties === undefined && !keepsUnknown;
  return {
    ...rest,
    ...(type !== undefined && { type: nullable ? [type, 'null'] : type }),
    ...(rest['x-kubernetes-int-or-string'] && { type: ['integer', 'string'] }),
    ...(properties && { properties: mapOf(properties) }),
    ...(isClosed && { additionalProperties: false }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: closed(additionalProperties) }),
    ...(items && { items: closed(items) }),
  };
}

function customSchemas({ spec }: CustomResource): (readonly [kind: string, schema: object])[] {
  return spec.versions.map(({ name, schema }) => {
    const whole = closed(schema.openAPIV3Schema) as { readonly properties: object };
    return [`${spec.group}/${name} ${spec.names.kind}`, { ...whole, properties: { ...whole.properties, metadata } }];
  });
}

/** By `apiVersion kind`, what checks an object as this version of Kubernetes does. */
export class Validators {
  // Formats and extensions of OpenAPI are no words of JSON schema.
  private readonly ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, code: { regExp } });
  private readonly schemas: ReadonlyMap<string, object>;

  constructor(version: KubernetesVersion) {
    this.ajv.addSchema({ $id: 'kubernetes', $defs: kubernetesDefinitions(version) });
    this.schemas = new Map([
      ...[...KUBERNETES_KINDS].map(([kind, name]) => [kind, definition(name)] as const),
      ...customResources().flatMap(customSchemas),
    ]);
  }

  of(kind: string): ValidateFunction | undefined {
    const schema = this.schemas.get(kind);
    return schema && this.ajv.compile(schema);
  }
}
