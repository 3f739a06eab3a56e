import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { ExportReader } from './export-reader';

interface FileFacts {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

const LINES_PER_FILE = 10_000;
const EMPTY_TEXT = 'A profile matches the request, but it holds no data.\n';

/**
 * Streams an archive during the export (protocol, "Results archive"): a line for each profile and batch, then the
 * manifest. Ending the stream ends the export; a broken export breaks the stream.
 */
export async function* zipOf(reader: ExportReader, at: Date): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const stop = new AbortController();
  const fail = (error: unknown): void => void output.destroy(error as Error);
  zip.on('error', fail);
  const writing = writeFiles(zip, reader, { at, signal: stop.signal }).catch(fail);
  try {
    for await (const chunk of output) yield chunk as Buffer;
  } finally {
    stop.abort();
    await writing;
    await reader.close();
  }
}

interface Writing {
  readonly at: Date;
  readonly signal: AbortSignal;
}

async function writeFiles(zip: ZipFile, reader: ExportReader, writing: Writing): Promise<void> {
  const files = [await addFile(zip, 'profile.jsonl', reader.profiles(), writing)];
  let end = await reader.end();
  for (let n = 1; !end; n += 1) {
    files.push(
      await addFile(zip, `events-${String(n).padStart(3, '0')}.jsonl`, reader.batches(LINES_PER_FILE), writing),
    );
    end = await reader.end();
  }
  if (end.batches === 0 && end.attributes === 0) files.push(await addFile(zip, 'empty.txt', [EMPTY_TEXT], writing));
  zip.addBuffer(
    Buffer.from(`${JSON.stringify({ created_at: writing.at.toISOString(), files }, null, 2)}\n`),
    'manifest.json',
    { mtime: writing.at },
  );
  zip.end();
}

/** Waits for the end of the file, so that nothing is buffered. */
async function addFile(
  zip: ZipFile,
  name: string,
  texts: AsyncIterable<string> | Iterable<string>,
  { at, signal }: Writing,
): Promise<FileFacts> {
  const hash = createHash('sha256');
  let bytes = 0;
  const content = Readable.from(
    (async function* () {
      for await (const text of texts) {
        const written = Buffer.from(text);
        hash.update(written);
        bytes += written.length;
        yield written;
      }
    })(),
    { objectMode: false, signal },
  );
  zip.addReadStream(content, name, { mtime: at });
  await finished(content, { signal });
  return { name, bytes, sha256: hash.digest('hex') };
}
