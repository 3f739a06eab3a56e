import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the files of Swagger UI lie: in a built app in the folder that the build put beside it, else in the installed package. */
function folder(): string {
  const built = join(dirname(fileURLToPath(import.meta.url)), 'docs');
  return existsSync(built) ? built : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

/** The bytes of a file of Swagger UI, read when it is asked for. `name` is one of `SWAGGER_UI_FILES`. */
export const readSwaggerUi = (name: string): Promise<Buffer> => readFile(join(folder(), name));
