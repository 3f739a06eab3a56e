import { BulkWriter, CallJoiner, declareCollection } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import { earlier } from '../admission/key-due';

export interface EndedPerson {
  /** `<ws>:<person>|<srid>`. */
  readonly _id: string;
  readonly ws: string;
  readonly person: string;
  readonly srid: string;
  readonly endedAt: Date;
  readonly isErasure?: true;
}

const PAGE = 200;

type ErasureQuery = Pick<EndedPerson, 'ws' | 'person'> & { readonly at: Date };

/**
 * The persons of ended requests whose keys exist, by keyed hash of their identities. Concurrent calls share bulk writes
 * and queries.
 */
export class EndedPersonsStore {
  private readonly entries: Collection<EndedPerson>;
  private readonly writes: BulkWriter<EndedPerson>;
  private readonly erasures = new CallJoiner((asked: readonly ErasureQuery[]) => this.findErasures(asked), PAGE);

  constructor(connection: Connection) {
    this.entries = declareCollection(connection, 'endedPersons', [
      { fields: { ws: 1, srid: 1 } },
      { fields: { ws: 1, person: 1, isErasure: 1, endedAt: 1 } },
    ]);
    this.writes = new BulkWriter(this.entries);
  }

  /** May be repeated: an entry that is there says the same. */
  async record(ended: Omit<EndedPerson, '_id' | 'person'>, persons: readonly string[]): Promise<void> {
    const { ws, srid } = ended;
    await Promise.all(
      persons.map((person) => this.writes.insertNew({ _id: `${ws}:${person}|${srid}`, person, ...ended })),
    );
  }

  /** The first erasure of one of `persons` that completed at `at` or later. */
  async findErasureSince(ws: string, persons: readonly string[], at: Date): Promise<Date | undefined> {
    const found = await Promise.all(persons.map((person) => this.erasures.call({ ws, person, at })));
    return earliest(found.flatMap((endedAt) => endedAt ?? []));
  }

  /** Requests that ended by `at`, in pages. */
  async *pagesEndedBy(ws: string, persons: readonly string[], at: Date): AsyncGenerator<readonly string[], void> {
    let page = new Set<string>();
    for await (const { srid } of this.entries.find(
      { ws, person: { $in: [...persons] }, endedAt: { $lte: at } },
      { projection: { srid: 1 } },
    )) {
      page.add(srid);
      if (page.size < PAGE) continue;
      yield [...page];
      page = new Set();
    }
    if (page.size > 0) yield [...page];
  }

  async deleteByRequests(ws: string, srids: readonly string[]): Promise<void> {
    await this.entries.deleteMany({ ws, srid: { $in: [...srids] } });
  }

  private async findErasures(asked: readonly ErasureQuery[]): Promise<(Date | undefined)[]> {
    const pages = await Promise.all(
      [...Map.groupBy(asked, ({ ws }) => ws)].map(([ws, these]) => {
        const person = { $in: [...new Set(these.map((one) => one.person))] };
        const endedAt = { $gte: earliest(these.map(({ at }) => at)) as Date };
        return this.entries
          .find({ ws, person, isErasure: true, endedAt }, { projection: { ws: 1, person: 1, endedAt: 1 } })
          .toArray();
      }),
    );
    const ends = Map.groupBy(pages.flat(), ({ ws, person }) => `${ws}:${person}`);
    return asked.map(({ ws, person, at }) =>
      earliest((ends.get(`${ws}:${person}`) ?? []).flatMap(({ endedAt }) => (endedAt >= at ? endedAt : []))),
    );
  }
}

const earliest = (times: readonly Date[]): Date | undefined =>
  times.reduce<Date | undefined>((first, at) => earlier(at, first), undefined);
