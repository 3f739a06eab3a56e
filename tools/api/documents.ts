import { ATTESTATION_SCHEMA } from '@opendsr-service/contracts';
import { gatewayApis } from '@opendsr-service/gateway/openapi';
import { ingestionApi } from '@opendsr-service/ingestion/openapi';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { asyncApi } from './asyncapi';
import { openApi } from './openapi';

/** A generated file of this repository. */
interface GeneratedDocument {
  readonly path: string;
  readonly build: () => object;
}

/** The types of the operator's API, for its console. They follow from its document. */
export const CONSOLE_TYPES = 'apps/console/src/api/operator.d.ts';

/** Every document of the API with its path. */
export const DOCUMENTS: readonly GeneratedDocument[] = [
  ...gatewayApis.map((api) => ({ path: `apps/gateway/src/openapi/${api.name}.json`, build: () => openApi(api) })),
  { path: `apps/ingestion/src/openapi/${ingestionApi.name}.json`, build: () => openApi(ingestionApi) },
  { path: 'docs/api/asyncapi.json', build: asyncApi },
  { path: 'docs/api/attestation-v1.json', build: () => ATTESTATION_SCHEMA },
];

/** What of the public APIs was promised, with the document that says it. The operator's API comes and goes with its console. */
export const PROMISED = DOCUMENTS.filter(({ path }) => /openapi\/(v1|v2|ingestion)\.json$/.test(path)).map(
  ({ path, build }) => ({ path: `tools/api/golden/${path.split('/').at(-1)}`, build }),
);

export const textOf = ({ build }: GeneratedDocument): string => `${JSON.stringify(build(), null, 2)}\n`;

/**
 * What `CONSOLE_TYPES` says: without the answers that are no success, which the console reads all in one way, and without headers
 * and sentences, which stand in the document.
 */
export async function consoleTypes(): Promise<string> {
  const [operatorApi] = gatewayApis.filter(({ name }) => name === 'operator').map(openApi);
  const used: unknown = JSON.parse(JSON.stringify(operatorApi), (name, part: Readonly<Record<string, object>>) =>
    name === 'responses' ? successesOf(part) : part,
  );
  const types = astToString(await openapiTS(used as OpenAPI3), { formatOptions: { removeComments: true } });
  return `// Made from operator.json: npm run openapi.\n${withoutAbsent(types)}`;
}

const successesOf = (responses: Readonly<Record<string, object>>): object =>
  Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, answer]) => [status, { ...answer, headers: undefined }]),
  );

/** The generator names all that a path, a call or an answer could have. A call without a query still refuses one. */
const withoutAbsent = (types: string): string =>
  types
    .replaceAll(/^ *(?:get|put|post|delete|options|head|patch|trace|requestBody|header|path|cookie)\?: never;\n/gm, '')
    .replaceAll(/(?<=": \{\n) *parameters: \{\n *query\?: never;\n *\};\n/g, '')
    .replaceAll(/^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm, '');
