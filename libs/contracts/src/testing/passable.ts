import { TYPE_NAME } from '../messages/codec';
import { REQUEST_EVENT_HEAD } from '../messages/request-events';

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

/**
 * Why older processes could not pass over messages of a new type, or of a type that grew, a line for each reason; none: they can. They
 * tell a later type from garbage by its name, ignore properties that they do not know, and count request events by their head.
 */
export function obstacles(topic: string, types: Readonly<Record<string, object>>): string[] {
  return Object.entries(types).flatMap(([type, schema]) => [
    ...(TYPE_NAME.test(type) ? [] : [`${type}: is no name of a type`]),
    ...(JSON.stringify(schema).includes('"additionalProperties":false')
      ? [`${type}: is closed, so it could never grow`]
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
