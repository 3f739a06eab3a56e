import { nameOf, type Manifest } from '../manifest';
import { knownKind } from './known-kinds';
import { typeFaults } from './type-faults';

/** What the schemas of Kubernetes refuse of an object. They let fields pass that they do not know; the types do not. */
function valueFaults(object: Manifest): string[] {
  const known = knownKind(object);
  if (!known) return [`${nameOf(object)}: unknown kind: ${object.apiVersion} ${object.kind}`];
  try {
    new known.model(object as never).validate();
    return [];
  } catch (error) {
    return [`${nameOf(object)}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** The faults of rendered objects by the schemas and types of their kinds: values, unknown fields and unknown kinds. */
export const schemaFaults = (objects: readonly Manifest[]): string[] => [
  ...objects.flatMap(valueFaults),
  ...typeFaults(objects),
];
