import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startServer } from './servers';

/** In the minutes that a broker of tests lives, Java's second compiler costs more than it brings. */
const ONE_COMPILER = '-XX:TieredStopAtLevel=1';
/** A JVM that cannot use the archive does without it, and must not say so among lines that are read. */
const QUIETLY = '-Xshare:auto -Xlog:cds=off -Xlog:cds+dynamic=off';

/**
 * Lets every JVM that this process and its children start spend less: one compiler, and the classes that a broker of
 * `serversFolder` left in an archive. A start takes 8 CPU s with one compiler, and 4 with the archive, which takes 15
 * once.
 */
export async function spareJava(
  serversFolder: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
  cache = 'node_modules/.cache/java',
): Promise<void> {
  if (env.JAVA_TOOL_OPTIONS !== undefined) return;
  env.JAVA_TOOL_OPTIONS = ONE_COMPILER;
  // Without an archive everything works as well.
  const archive = serversFolder && (await archiveOf(serversFolder, { env, cache }).catch(() => undefined));
  if (archive) env.JAVA_TOOL_OPTIONS = `${ONE_COMPILER} -XX:SharedArchiveFile=${archive} ${QUIETLY}`;
}

/** The archive of the classes of a broker, made by one that ends at once if there is none. */
async function archiveOf(
  serversFolder: string,
  { env, cache }: { readonly env: NodeJS.ProcessEnv; readonly cache: string },
): Promise<string | undefined> {
  const archive = resolve(cache, `${await contentOf(join(serversFolder, 'kafka'))}.jsa`);
  if (existsSync(archive)) return archive;
  await mkdir(cache, { recursive: true });
  const own = `${archive}.${String(process.pid)}`;
  const options = `${ONE_COMPILER} -XX:ArchiveClassesAtExit=${own}`;
  try {
    const broker = await startServer(join(serversFolder, 'start-kafka'), [], { ...env, JAVA_TOOL_OPTIONS: options });
    await broker.stop();
    await rename(own, archive);
  } finally {
    await rm(own, { force: true });
  }
  return archive;
}

/** Names the files of a folder, as a JVM compares them. */
async function contentOf(folder: string): Promise<string> {
  const hash = createHash('sha256').update(folder);
  for (const name of (await readdir(folder)).sort()) {
    const { size, mtimeMs } = await stat(join(folder, name));
    hash.update(`${name} ${String(size)} ${String(mtimeMs)}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
