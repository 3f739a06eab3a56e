import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs one of Kafka's command-line tools to its end. Rejects where it fails. */
export async function kafkaTool(serversFolder: string, tool: string, args: readonly string[]): Promise<void> {
  const java = [
    ...['-XX:TieredStopAtLevel=1', '-Xshare:auto', '-Dorg.slf4j.simpleLogger.defaultLogLevel=off'],
    ...['-cp', join(serversFolder, 'kafka', '*')],
  ];
  await promisify(execFile)('java', [...java, tool, ...args]);
}
