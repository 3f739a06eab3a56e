import type { ExportItem } from '@opendsr-service/contracts';

/** A piece for each line would cost more than the line. */
const PIECE_CHARACTERS = 65_536;

/** Order: `{"subjects":[…]}`, `{"part":…}` and `{"profile":…}` each, `{"batch":…}` each, `{"end":{…}}` with the counts. */
export async function* ndjson(
  first: IteratorResult<ExportItem, void>,
  rest: AsyncIterable<ExportItem>,
): AsyncGenerator<string> {
  let piece = first.done ? '' : lineOf(first.value);
  for await (const item of rest) {
    piece += lineOf(item);
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function lineOf(item: ExportItem): string {
  if ('profile' in item) return `{"profile":${item.profile}}\n`;
  if ('batch' in item) return `{"batch":${item.batch}}\n`;
  return `${JSON.stringify(item)}\n`;
}
