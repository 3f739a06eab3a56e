import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigurationError, type Table } from '@opendsr-service/config';
import type { Container, Workload } from '../manifest';
import { programOf } from './apps';
import { isMounted } from './mounted';

/** What Node itself reads; an operator may set it. */
const OF_NODE = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'TZ'];

/** The settings whose value is a path: what the app opens when it starts. */
const namesPath = (table: Table, name: string): boolean =>
  ['file', 'folder'].includes(table[name]?.kind ?? '') || /_(FILE|DIR)(_V\d)?$/.test(name);

/** An empty folder that stands for the file system of a container, and a key with its certificate for what must hold one. */
interface Planted {
  readonly root: string;
  readonly pem: string;
}

/** A file such as the secret holds, in `root` instead of in the container. */
function plant({ root, pem }: Planted, name: string, path: string): string {
  const planted = join(root, path);
  mkdirSync(name.endsWith('_DIR') ? planted : dirname(planted), { recursive: true });
  if (name === 'MONGODB_URI_FILE') writeFileSync(planted, 'mongodb://mongodb.example.com/\n');
  else if (name === 'KAFKA_SASL_PASSWORD_FILE') writeFileSync(planted, 'a password\n');
  else if (!name.endsWith('_DIR')) writeFileSync(planted, pem);
  return planted;
}

/**
 * Reads the configuration of a container's app with the variables and files of the chart. Returns unknown variables,
 * missing paths and the faults that the app reports.
 */
export function startFaults({ name: owner, pod }: Workload, container: Container, planted: Planted): string[] {
  const app = programOf(
    container.args,
    (container.env ?? []).map(({ name }) => name),
  );
  if (!app) return [`${owner}: the image runs nothing by ${String(container.args)}`];
  const env: Record<string, string> = {};
  const faults: string[] = [];
  for (const { name, value } of container.env ?? []) {
    const known = name in app.table || OF_NODE.includes(name);
    if (!known) faults.push(`${name} is no setting of this app`);
    if (value === undefined) faults.push(`${name} must be said`);
    else if (!namesPath(app.table, name)) env[name] = value;
    else if (isMounted(value, container, pod)) env[name] = plant(planted, name, value);
    else faults.push(`${name} names ${value}, where nothing is mounted`);
  }
  return [
    ...faults,
    ...refusals(() => {
      app.read(env);
    }),
  ].map((what) => `${owner}: ${what}`);
}

function refusals(read: () => void): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}
