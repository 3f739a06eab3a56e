interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** All variants that samples of a schema can show. */
export function fieldsOf(path: string, schema: Schema): string[] {
  const optional = (name: string) => (schema.required?.includes(name) ? [] : [`${path}.${name} left out`]);
  return [
    path,
    ...(schema.type?.includes('null') ? [`${path} null`] : []),
    ...(schema.enum ?? []).map((value) => `${path} = ${String(value)}`),
    ...(schema.items ? fieldsOf(`${path}[]`, schema.items) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => [
      ...fieldsOf(`${path}.${name}`, child),
      ...optional(name),
    ]),
  ];
}

export function fieldsSeen(path: string, schema: Schema, value: unknown): string[] {
  if (value === null) return [`${path} null`];
  if (Array.isArray(value))
    return [path, ...(value as unknown[]).flatMap((item) => fieldsSeen(`${path}[]`, schema.items ?? {}, item))];
  if (typeof value !== 'object')
    return [path, ...(schema.enum ?? []).filter((one) => one === value).map((one) => `${path} = ${String(one)}`)];
  const fields = value as Readonly<Record<string, unknown>>;
  return [
    path,
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => {
      const here = `${path}.${name}`;
      return name in fields ? fieldsSeen(here, child, fields[name]) : [`${here} left out`];
    }),
  ];
}
