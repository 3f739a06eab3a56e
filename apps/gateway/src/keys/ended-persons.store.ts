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

const endedPersonSchema = new Schema<EndedPerson>({ _id: String, ws: String, person: String, srid: String, isErasure: Boolean, endedAt: Date }, { strict: false, versionKey: false, autoIndex: false });
endedPersonSchema.index({ ws: 1, srid: 1 });
endedPersonSchema.index({ ws: 1, person: 1 });

/** Whom the requests are about that have ended and whose keys live, by keyed hashes of their identities: a document for each, gone with the key. */
export class EndedPersonsStore {
  private readonly entries: Collection<EndedPerson>;

  constructor(connection: Connection) {
    const model = connection.models.EndedPerson ? connection.model<EndedPerson>('EndedPerson') : connection.model<EndedPerson>('EndedPerson', endedPersonSchema, 'endedPersons');
    this.entries = model.collection as unknown as Collection<EndedPerson>;
  }

  /** Notes persons of a request, as often as it is done. */
  async note({ ws, ...ended }: Omit<EndedPerson, '_id' | 'person'>, persons: readonly string[]): Promise<void> {
    const writes = persons.map((person) => {
      const _id = `${ws}:${person}|${ended.srid}`;
      return { replaceOne: { filter: { _id, ws }, replacement: { _id, ws, person, ...ended }, upsert: true } };
    });
    if (writes.length > 0) await this.entries.bulkWrite(writes, { ordered: false });
  }

  /** What is noted of any of these persons. */
  of(ws: string, persons: readonly string[]): Promise<EndedPerson[]> {
    return this.entries.find({ ws, person: { $in: [...persons] } }).toArray();
  }

  async forget(ws: string, srids: readonly string[]): Promise<void> {
    await this.entries.deleteMany({ ws, srid: { $in: [...srids] } });
  }
}
