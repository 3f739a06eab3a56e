import { readdir, readFile, readlink } from 'node:fs/promises';

/** State of a socket that listens, as the kernel writes it. */
const LISTENS = '0A';

/** The TCP ports on which a process listens; of IPv4, on Linux. */
export async function listeningPorts(pid: number): Promise<number[]> {
  const at = `/proc/${String(pid)}`;
  const files = await readdir(`${at}/fd`);
  const links = await Promise.all(files.map((file) => readlink(`${at}/fd/${file}`).catch(() => '')));
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const lines = (await readFile(`${at}/net/tcp`, 'utf8')).trim().split('\n').slice(1);
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTENS && inodes.has(fields[9] ?? ''))
    .map((fields) => Number.parseInt(fields[1]?.split(':')[1] ?? '', 16));
}
