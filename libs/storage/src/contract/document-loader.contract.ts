import { DocumentLoader } from '../document-loader';
import { opened, type Subject } from './subject';

interface Note {
  readonly _id: string;
  readonly ws: string;
}

export function documentLoaderContract(subject: Subject): void {
  describe(`the document loader on ${subject.kind}`, () => {
    const { collection } = opened(subject);

    it('loads what is asked for together with one query, each for the workspace that was named', async () => {
      const c = await collection();
      await c.insertMany(['a', 'b', 'c'].map((_id) => ({ _id: _id as never, ws: _id === 'c' ? 'other' : 'acme' })));
      let queries = 0;
      const find = (...args: Parameters<typeof c.find>) => {
        queries += 1;
        return c.find(...args);
      };
      const loader = new DocumentLoader<Note>({ find } as unknown as ConstructorParameters<
        typeof DocumentLoader<Note>
      >[0]);
      const asked = [
        ['a', 'acme'],
        ['c', 'acme'],
        ['c', 'other'],
        ['a', 'acme'],
        ['d', 'acme'],
      ] as const;
      expect(await Promise.all(asked.map(([_id, ws]) => loader.load(_id, ws)))).toEqual([
        { _id: 'a', ws: 'acme' },
        null,
        { _id: 'c', ws: 'other' },
        { _id: 'a', ws: 'acme' },
        null,
      ]);
      expect(queries).toBe(1);
    });

    it('loads many by one call: those that are there, each once and in their order', async () => {
      const c = await collection();
      await c.insertMany(['a', 'b'].map((_id) => ({ _id: _id as never, ws: 'acme' })));
      const loader = new DocumentLoader<Note>(c as never);
      const found = await loader.loadMany(['b', 'd', 'a', 'b'], 'acme');
      expect(found.map(({ _id }) => _id)).toEqual(['b', 'a']);
      expect(await loader.loadMany(['a'], 'other')).toEqual([]);
    });

    it('reads no more of a document than the fields that it was told', async () => {
      const c = await collection();
      await c.insertOne({ _id: 'a' as never, ws: 'acme', v: 1, more: 'text' });
      const loader = new DocumentLoader<Note & { readonly v: number; readonly more: string }, 'v'>(c as never, {
        ws: 1,
        v: 1,
      });
      expect(await loader.load('a', 'acme')).toEqual({ _id: 'a', ws: 'acme', v: 1 });
    });
  });
}
