import type { ExportItem } from '@opendsr-service/contracts';
import { ndjson } from './ndjson';

describe('the lines of an export', () => {
  async function pieces(...items: ExportItem[]): Promise<string[]> {
    async function* rest(): AsyncGenerator<ExportItem, void> {
      for (const item of items.slice(1)) yield await Promise.resolve(item);
    }
    const all: string[] = [];
    for await (const piece of ndjson(items[0] ? { value: items[0] } : { done: true, value: undefined }, rest()))
      all.push(piece);
    return all;
  }
  const end = { end: { profiles: 1, batches: 1, attributes: 0 } };

  it('have one line per item, in order', async () => {
    const text = (
      await pieces({ subjects: ['x'] }, { profile: '{"id":-1}' }, { batch: '{"n":12345678901234567890}' }, end)
    ).join('');
    expect(text).toBe(
      '{"subjects":["x"]}\n{"profile":{"id":-1}}\n{"batch":{"n":12345678901234567890}}\n' +
        '{"end":{"profiles":1,"batches":1,"attributes":0}}\n',
    );
  });

  it('are joined into pieces of limited size', async () => {
    const batch = { batch: `"${'x'.repeat(20_000)}"` };
    const sizes = (await pieces({ subjects: [] }, ...Array.from({ length: 8 }, () => batch), end)).map(
      (piece) => piece.split('\n').length - 1,
    );
    expect(sizes).toEqual([5, 4, 1]);
  });
});
