import { Schema, type Collection, type Connection } from 'mongoose';

/** That a request which has ended is about a person. */
export interface EndedPerson {
  /** `<ws>:<person>|<srid>`. */
  readonly _id: string;
  readonly ws: string;
  /** The keyed hash of an identity. */
  readonly person: string;
  readonly srid: string;
  readonly endedAt: Date;
  /** It erased the person. */
  readonly isErasure?: true;
}

const endedPersonSchema = new Schema<EndedPerson>(
  { _id: String, ws: String, person: String, srid: String, endedAt: Date },
  { strict: false, versionKey: false, autoIndex: false },
);
endedPersonSchema.index({ ws: 1, srid: 1 });
endedPersonSchema.index({ ws: 1, person: 1, isErasure: 1, endedAt: 1 });
/** So many requests are read at a time: a person may be known by an identity that is common to all. */
const PAGE = 200;

/** Whom the requests are about that have ended and whose keys live, by keyed hashes of their identities: a document for each, gone with the key. */
export class EndedPersonsStore {
  private readonly entries: Collection<EndedPerson>;

  constructor(connection: Connection) {
    const model = connection.models.EndedPerson
      ? connection.model<EndedPerson>('EndedPerson')
      : connection.model<EndedPerson>('EndedPerson', endedPersonSchema, 'endedPersons');
    this.entries = model.collection as unknown as Collection<EndedPerson>;
  }

  /** Notes persons of a request, as often as it is done. */
  async record({ ws, ...ended }: Omit<EndedPerson, '_id' | 'person'>, persons: readonly string[]): Promise<void> {
    const writes = persons.map((person) => {
      const _id = `${ws}:${person}|${ended.srid}`;
      return { replaceOne: { filter: { _id, ws }, replacement: { _id, ws, person, ...ended }, upsert: true } };
    });
    if (writes.length > 0) await this.entries.bulkWrite(writes, { ordered: false });
  }

  /** When the first erasure of any of these persons completed that ended at this time or later. */
  async findErasureSince(ws: string, persons: readonly string[], at: Date): Promise<Date | undefined> {
    const first = await this.entries.findOne(
      { ws, person: { $in: [...persons] }, isErasure: true, endedAt: { $gte: at } },
      { sort: { endedAt: 1 } },
    );
    return first?.endedAt;
  }

  /** The requests of any of these persons that ended by this time, in pages. */
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
