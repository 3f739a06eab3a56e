import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RouteName } from '@opendsr-service/console';
import { repository } from '../../../e2e/repository';

export const PICTURES_FOLDER = 'docs/pictures';
const MANIFEST = join(PICTURES_FOLDER, 'pictures.json');
const PAGES = 'apps/console/src/pages';
const LOADED = /(\w+): \(\) => import\('\.\/([\w-]+)\//g;

/** Of each picture by its name: the digest of the sources that its page had. */
export type Manifest = Readonly<Record<string, string>>;

export const manifestPath = (): string => repository(MANIFEST);
export const readManifest = (): Manifest => JSON.parse(readFileSync(manifestPath(), 'utf8')) as Manifest;

/** The digest of the sources of each page: of its own folder, not of what all pages share. */
export function sourcesOfPages(): ReadonlyMap<RouteName, string> {
  const loaded = readFileSync(repository(PAGES, 'pages.ts'), 'utf8').matchAll(LOADED);
  return new Map([...loaded].map(([, page, folder = '']) => [page as RouteName, digestOf(repository(PAGES, folder))]));
}

function digestOf(folder: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.spec.'))
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files.sort()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}
