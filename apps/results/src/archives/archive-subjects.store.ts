import { idPrefixRange } from '@opendsr-service/storage';
import { Schema, type Collection, type Connection } from 'mongoose';
import type { Build } from './chunks.store';

interface ArchiveSubject extends Build {
  /** `<ws>:<subject>|<srid>|<build>`: those of a subject lie beside each other. */
  readonly _id: string;
}

const archiveSubjectSchema = new Schema(
  { _id: String, ws: String, srid: String },
  { strict: false, versionKey: false, autoIndex: false },
);
archiveSubjectSchema.index({ ws: 1, srid: 1 });

/**
 * Which builds of which archives hold whom, by blind index (decision 3). Each build has entries of its own, so that a builder which
 * lost its claim takes back only what it said itself.
 */
export class ArchiveSubjectsStore {
  private readonly entries: Collection<ArchiveSubject>;

  constructor(connection: Connection) {
    connection.model('ArchiveSubject', archiveSubjectSchema, 'archiveSubjects');
    this.entries = connection.collection<ArchiveSubject>('archiveSubjects');
  }

  /** Writes down whom a new build will hold. */
  async name(build: Build, subjects: readonly string[]): Promise<void> {
    const { ws, srid } = build;
    const entries = [...new Set(subjects)].map((subject) => ({
      _id: `${ws}:${subject}|${srid}|${build.build}`,
      ws,
      srid,
      build: build.build,
    }));
    if (entries.length > 0) await this.entries.insertMany(entries);
  }

  /** The builds that hold this subject, read as the caller asks for them. */
  buildsOf(ws: string, subject: string): AsyncIterable<Build> {
    return this.entries.find({ _id: idPrefixRange(`${ws}:${subject}`), ws });
  }

  /** Removes the entries of all builds of an archive. */
  async remove(ws: string, srid: string): Promise<void> {
    await this.entries.deleteMany({ ws, srid });
  }

  async removeBuild({ ws, srid, build }: Build): Promise<void> {
    await this.entries.deleteMany({ ws, srid, build });
  }
}
