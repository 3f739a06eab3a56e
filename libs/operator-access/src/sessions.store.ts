import { declareCollection } from '@opendsr-service/storage';
import type { Collection, Connection } from 'mongoose';
import type { Operator } from './operator';
import { csrfTokenOf, digestOf, newSecret } from './secrets';

interface SessionDocument extends Operator {
  /** SHA-256 of the session's secret: a copy of the database opens no session. */
  readonly _id: string;
  readonly createdAt: Date;
  /** It ends then, whatever happens. */
  readonly endsAt: Date;
  /** It ends then, if it is not used before. */
  readonly idleAt: Date;
}

/** How long sessions last, in milliseconds. */
export interface SessionLimits {
  /** Without a call. */
  readonly idleMs: number;
  /** With any number of calls. */
  readonly longestMs: number;
}

/** A session that a browser has proved. */
export interface Session extends Operator {
  /** Names the session; not secret. */
  readonly id: string;
  readonly csrfToken: string;
  readonly endsAt: Date;
}

/** A use is written once in a tenth of the idle time, so a session may end so much earlier. */
const TOUCHED_PARTS = 10;

/** The sessions of browsers, over all processes. `now` returns milliseconds since 1970. */
export class Sessions {
  private readonly sessions: Collection<SessionDocument>;

  constructor(
    connection: Connection,
    private readonly limits: SessionLimits,
    private readonly now: () => number,
  ) {
    this.sessions = declareCollection(connection, 'operator_sessions', [
      { fields: { subject: 1 } },
      { fields: { idleAt: 1 } },
    ]);
  }

  /** Begins a session; the secret is for the browser's cookie. */
  async begin({ subject, grants }: Operator): Promise<{ readonly secret: string; readonly session: Session }> {
    const secret = newSecret();
    const now = this.now();
    const endsAt = new Date(now + this.limits.longestMs);
    const document = {
      _id: digestOf(secret),
      subject,
      grants,
      createdAt: new Date(now),
      endsAt,
      idleAt: this.idleAt(now, endsAt),
    };
    await this.sessions.insertOne(document);
    return { secret, session: sessionOf(document, secret) };
  }

  /**
   * The session of a secret. Undefined: unknown or ended. It counts as used now, unless the call is `background`: one that
   * nobody made by hand.
   */
  async use(secret: string, { background = false } = {}): Promise<Session | undefined> {
    const now = this.now();
    const _id = digestOf(secret);
    const found = await this.sessions.findOne({ _id, idleAt: { $gt: new Date(now) } });
    if (!found) return undefined;
    if (background) return sessionOf(found, secret);
    const idleAt = this.idleAt(now, found.endsAt);
    if (idleAt.getTime() - found.idleAt.getTime() >= this.limits.idleMs / TOUCHED_PARTS)
      await this.sessions.updateOne({ _id, idleAt: found.idleAt }, { $set: { idleAt } });
    return sessionOf(found, secret);
  }

  /** Those of these sessions that have not ended. Counts as no use of them. */
  async alive(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const of = { _id: { $in: [...ids] }, idleAt: { $gt: new Date(this.now()) } };
    const found = await this.sessions.find(of, { projection: { _id: 1 } }).toArray();
    return new Set(found.map(({ _id }) => _id));
  }

  async end({ id }: Pick<Session, 'id'>): Promise<void> {
    await this.sessions.deleteOne({ _id: id });
  }

  /** Ends all sessions of an operator, in every browser. */
  async endAll(subject: string): Promise<void> {
    await this.sessions.deleteMany({ subject });
  }

  async removeEnded(): Promise<void> {
    await this.sessions.deleteMany({ idleAt: { $lte: new Date(this.now()) } });
  }

  private idleAt(now: number, endsAt: Date): Date {
    return new Date(Math.min(now + this.limits.idleMs, endsAt.getTime()));
  }
}

const sessionOf = ({ _id, subject, grants, endsAt }: SessionDocument, secret: string): Session => ({
  ...{ id: _id, subject, grants, endsAt },
  csrfToken: csrfTokenOf(secret),
});
