import { TYPE_NAME } from '../messages/codec';
import { REQUEST_EVENT_HEAD } from '../messages/request-events';

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/** Why older processes cannot skip messages of a new or grown type. They know a later type by its name and head. */
export function obstacles(topic: string, types: Readonly<Record<string, object>>): string[] {
  return Object.entries(types).flatMap(([type, schema]) => [
    ...(TYPE_NAME.test(type) ? [] : [`${type}: is not a type name`]),
    ...(JSON.stringify(schema).includes('"additionalProperties":false')
      ? [`${type}: is closed, so it can never grow`]
      : []),
    ...(topic === 'requestEvents' ? withoutHead(type, schema) : []),
  ]);
}

function withoutHead(type: string, { properties = {}, required = [] }: ObjectSchema): string[] {
  const same = (name: string, schema: object) => JSON.stringify(properties[name]) === JSON.stringify(schema);
  return Object.entries(REQUEST_EVENT_HEAD.properties)
    .filter(([name, schema]) => name !== 'type' && (!same(name, schema) || !required.includes(name)))
    .map(([name]) => `${type}: has no ${name} as every request event has`);
}
