import type { ExportItem } from './profile-export';

/** The lines of an export: `{"profile":…}` each, `{"batch":…}` each, `{"end":{"profiles":…,"batches":…,"attributes":…}}` as the last. */
export async function* ndjson(first: IteratorResult<ExportItem, void>, rest: AsyncIterable<ExportItem>): AsyncGenerator<string> {
  if (!first.done) yield lineOf(first.value);
  for await (const item of rest) yield lineOf(item);
}

function lineOf(item: ExportItem): string {
  if ('profile' in item) return `{"profile":${item.profile}}\n`;
  if ('batch' in item) return `{"batch":${item.batch}}\n`;
  return `${JSON.stringify(item)}\n`;
}
