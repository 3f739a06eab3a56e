import { Schema, type Collection, type Connection } from 'mongoose';

export interface EndedPerson {
  /** `<ws>:<person>|<srid>`. */
  readonly _id: string;
  readonly ws: string;
  readonly person: string;
  readonly srid: string;
  readonly endedAt: Date;
  readonly isErasure?: true;
}

const endedPersonSchema = new Schema<EndedPerson>(
  { _id: String, ws: String, person: String, srid: String, endedAt: Date },
  { strict: false, versionKey: false, autoIndex: false },
);
endedPersonSchema.index({ ws: 1, srid: 1 });
endedPersonSchema.index({ ws: 1, person: 1, isErasure: 1, endedAt: 1 });
const PAGE = 200;

/** The persons of ended requests whose keys exist, by keyed hash of their identities. */
export class EndedPersonsStore {
  private readonly entries: Collection<EndedPerson>;

  constructor(connection: Connection) {
    const model = connection.models.EndedPerson
      ? connection.model<EndedPerson>('EndedPerson')
      : connection.model<EndedPerson>('EndedPerson', endedPersonSchema, 'endedPersons');
    this.entries = model.collection as unknown as Collection<EndedPerson>;
  }

  /** May be repeated. */
  async record({ ws, ...ended }: Omit<EndedPerson, '_id' | 'person'>, persons: readonly string[]): Promise<void> {
    const writes = persons.map((person) => {
      const _id = `${ws}:${person}|${ended.srid}`;
      return { replaceOne: { filter: { _id, ws }, replacement: { _id, ws, person, ...ended }, upsert: true } };
    });
    if (writes.length > 0) await this.entries.bulkWrite(writes, { ordered: false });
  }

  /** The first erasure that completed at `at` or later. */
  async findErasureSince(ws: string, persons: readonly string[], at: Date): Promise<Date | undefined> {
    const first = await this.entries.findOne(
      { ws, person: { $in: [...persons] }, isErasure: true, endedAt: { $gte: at } },
      { sort: { endedAt: 1 } },
    );
    return first?.endedAt;
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
}
