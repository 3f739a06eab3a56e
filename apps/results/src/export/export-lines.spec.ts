import { BrokenExport } from './export-source';
import { itemOf, linesOf } from './export-lines';

async function* chunks(text: string, bytes: number) {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield await Promise.resolve(all.subarray(at, at + bytes));
}

async function* endless() {
  for (;;) yield await Promise.resolve(Buffer.alloc(1_048_576, 'x'));
}

describe('an export over HTTP', () => {
  it.each([1, 2, 5, 1000])('is split into lines, wherever its chunks of %i bytes end', async (bytes) => {
    const lines: string[] = [];
    for await (const some of linesOf(chunks('{"a":"é"}\n\n{"b":"漢"}\n', bytes))) lines.push(...some);
    expect(lines).toEqual(['{"a":"é"}', '', '{"b":"漢"}']);
  });

  it('is broken if its last line has no line break', async () => {
    await expect(async () => {
      for await (const lines of linesOf(chunks('{"a":1}\n{"b":', 3))) expect(lines).toEqual(['{"a":1}']);
    }).rejects.toThrow(BrokenExport);
  });

  it('is broken if a line is too long', async () => {
    await expect(linesOf(endless()).next()).rejects.toThrow('too long');
  });

  it('keeps its content as text', () => {
    expect(itemOf('{"subjects":["a","b"]}')).toEqual({ subjects: ['a', 'b'] });
    expect(itemOf('{"profile":{"id":9223372036854775807}}')).toEqual({ profile: '{"id":9223372036854775807}' });
    expect(itemOf('{"part":"{\\"id\\":92","isLast":true}')).toEqual({ part: '{"id":92', isLast: true });
    expect(itemOf('{"batch":{"mpid":-1}}')).toEqual({ batch: '{"mpid":-1}' });
    expect(itemOf('{"end":{"profiles":1,"batches":2,"attributes":0}}')).toEqual({
      end: { profiles: 1, batches: 2, attributes: 0 },
    });
    for (const line of ['{"other":1}', '{"subjects":"a"}', '{"subjects":[1]}', '{"subjects":[""]}'])
      expect(() => itemOf(line)).toThrow(BrokenExport);
  });
});
