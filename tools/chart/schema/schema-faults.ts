import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020';
import { nameOf, type Manifest } from '../manifest';
import type { KubernetesVersion } from './published';
import { Validators } from './validators';

const made = new Map<KubernetesVersion, Validators>();

function validatorOf(version: KubernetesVersion, kind: string): ValidateFunction | undefined {
  const validators = made.get(version) ?? new Validators(version);
  made.set(version, validators);
  return validators.of(kind);
}

const messageOf = ({ keyword, instancePath, message = '', params }: ErrorObject): string =>
  keyword === 'additionalProperties'
    ? `${instancePath}/${String(params['additionalProperty'])} does not exist`
    : `${instancePath} ${message}`;

/** The faults of rendered objects by the published schemas of a version of Kubernetes: values, unknown fields, unknown kinds. */
export const schemaFaults = (objects: readonly Manifest[], version: KubernetesVersion): string[] =>
  objects.flatMap((object) => {
    const kind = `${object.apiVersion} ${object.kind}`;
    const validate = validatorOf(version, kind);
    if (!validate) return [`${nameOf(object)}: unknown kind: ${kind}`];
    validate(object);
    return (validate.errors ?? []).map((error) => `${nameOf(object)}: ${messageOf(error)}`);
  });
