// Writes what `published/` holds: the schemas of the kinds that the chart renders, as their projects publish them.
// `node tools/run.mjs tools/chart/schema/fetch.ts` needs pip, go and their registries; tests need none of them.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readArchive } from '../../e2e/archive';
import { repository } from '../../e2e/repository';
import { must } from '../../images/command';
import {
  definitionsAt,
  KUBERNETES_KINDS,
  KUBERNETES_VERSIONS,
  type CustomResource,
  type Definitions,
  type Schema,
} from './published';

const SCHEMAS = 'kubernetes-validate==1.34.1';

/** The least versions that docs/kubernetes.md names. Go keeps a module's files as they were published, with a checksum. */
const CUSTOM = [
  {
    module: 'github.com/kedacore/keda/v2@v2.14.0',
    folder: 'config/crd/bases',
    files: ['keda.sh_scaledobjects.yaml', 'keda.sh_triggerauthentications.yaml'],
  },
  {
    module: 'sigs.k8s.io/gateway-api@v1.1.0',
    folder: 'config/crd/standard',
    files: ['gateway.networking.k8s.io_httproutes.yaml'],
  },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.74.0',
    folder: 'example/prometheus-operator-crd',
    files: ['monitoring.coreos.com_prometheusrules.yaml', 'monitoring.coreos.com_servicemonitors.yaml'],
  },
] as const;

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Without descriptions, which are most of the bytes. A property may be called so; that is a schema, no text. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, inner]) => name !== 'description' || typeof inner !== 'string')
      .map(([name, inner]) => [name, bare(inner)]),
  );
}

const named = (text: string) => [...text.matchAll(/#\/\$defs\/([\w.-]+)"/g)].map(([, name = '']) => name);

/** Without what only the cluster writes. */
const withoutStatus = (kind: Schema): Schema => ({
  ...kind,
  properties: Object.fromEntries(Object.entries(kind.properties ?? {}).filter(([name]) => name !== 'status')),
});

/** What the kinds refer to. */
function reachable(all: Definitions): Definitions {
  const found: Record<string, Schema> = {};
  const wanted = [...KUBERNETES_KINDS.values()];
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const definition = all[name];
    if (found[name] || !definition) continue;
    const isKind = [...KUBERNETES_KINDS.values()].includes(name);
    const schema = bare(isKind ? withoutStatus(definition) : definition) as Schema;
    found[name] = schema;
    wanted.push(...named(JSON.stringify(schema)));
  }
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One line for each definition, so that a difference can be read. */
const lines = (definitions: Record<string, unknown>) =>
  Object.entries(definitions).map(([name, schema]) => `    ${JSON.stringify(name)}: ${JSON.stringify(schema)}`);

async function fetchKubernetes(folder: string): Promise<string> {
  await must('pip', ['download', '--quiet', '--no-deps', '--dest', folder, SCHEMAS]);
  const [wheel = ''] = (await readdir(folder)).filter((name) => name.endsWith('.whl'));
  const files = await readArchive(await readFile(join(folder, wheel)));
  const kept: Record<string, Record<string, Schema | null>> = {};
  for (const version of KUBERNETES_VERSIONS) {
    const path = `kubernetes_validate/kubernetes-json-schema/v${version}.0-local-strict/_definitions.json`;
    const text = files.get(path)?.toString().replaceAll('/api/_definitions.json#', '#') ?? '';
    const now = reachable((JSON.parse(text) as { $defs: Definitions }).$defs);
    const before = definitionsAt(kept, version);
    const changed = Object.entries(now).filter(([name, one]) => JSON.stringify(one) !== JSON.stringify(before[name]));
    const gone = Object.keys(before).filter((name) => !(name in now));
    kept[version] = { ...Object.fromEntries(changed), ...Object.fromEntries(gone.map((name) => [name, null])) };
  }
  const versions = Object.entries(kept).map(
    ([version, definitions]) => `  ${JSON.stringify(version)}: {\n${lines(definitions).join(',\n')}\n  }`,
  );
  return `{\n${versions.join(',\n')}\n}\n`;
}

/** Of a definition only the version that the chart renders, with all that the API server checks. */
function oneVersion(text: string): Omit<CustomResource, 'module'> {
  const { apiVersion, kind, metadata, spec } = parse(text) as CustomResource;
  const versions = spec.versions.filter(({ name }) => ['v1', 'v1alpha1'].includes(name));
  const { name, annotations } = metadata;
  return bare({
    ...{ apiVersion, kind, metadata: { name, annotations } },
    spec: { ...spec, versions: versions.map((one) => ({ ...one, storage: true })) },
  }) as Omit<CustomResource, 'module'>;
}

async function fetchCustom(folder: string): Promise<string> {
  await writeFile(join(folder, 'go.mod'), 'module fetch\n');
  const found: string[] = [];
  for (const { module, folder: within, files } of CUSTOM) {
    const said = await must('go', ['-C', folder, 'mod', 'download', '-json', module], { GOFLAGS: '-mod=mod' });
    const { Dir } = JSON.parse(said) as { readonly Dir: string };
    for (const file of files)
      found.push(`    ${JSON.stringify({ module, ...oneVersion(await readFile(join(Dir, within, file), 'utf8')) })}`);
  }
  return `[\n${found.join(',\n')}\n]\n`;
}

const folder = await mkdtemp(join(tmpdir(), 'opendsr-schemas-'));
try {
  const at = (name: string) => repository(`tools/chart/schema/published/${name}`);
  await writeFile(at('kubernetes.json'), await fetchKubernetes(folder));
  await writeFile(at('custom.json'), await fetchCustom(folder));
} finally {
  await rm(folder, { recursive: true });
}
