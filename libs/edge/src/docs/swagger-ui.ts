import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A build copies the files beside the app. */
function folder(): string {
  const built = join(dirname(fileURLToPath(import.meta.url)), 'docs');
  return existsSync(built) ? built : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

export const readSwaggerUi = (name: string): Promise<Buffer> => readFile(join(folder(), name));
