import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { PARTICIPANTS, PARTICIPANT_NAME, type RequestType } from '@opendsr-service/contracts';
import { duplicateKey } from '@opendsr-service/storage';
import { LoadingCache, type MasterSeal } from '@opendsr-service/vault';
import type { Collection, Connection } from 'mongoose';
import { checkSeal } from './check-seal';
import { checkWorkspace } from './check-workspace';
import { checkNewParticipant, type NewParticipant } from './new-participant';
import { NameTaken, TooManyParticipants } from './faults';
import { builtInReportKey, isBuiltIn } from './report-keys';
import { isSameSecret } from './same-secret';
import { collectionsOf, type ParticipantDocument, type WorkspaceDocument } from './workspace-documents';

/** The services of our own that take part in each type (decisions 8, 13 and 14). */
const BUILT_IN: Readonly<Record<RequestType, readonly string[]>> = {
  access: [PARTICIPANTS.results],
  portability: [PARTICIPANTS.results],
  erasure: [PARTICIPANTS.ingestion, PARTICIPANTS.results],
};
const SECRET_BYTES = 32;
/** Each stands in the status of a request, so a workspace has a few. Racing additions may exceed the limit by as many as race. */
const MAX_PARTICIPANTS = 100;
const MAX_READ = 1_000;
const CACHE = { maxEntries: 10_000, maxAgeMs: 30_000 };

/** Who must report before a request completes; `domain` is that of an outside participant. */
export interface RegisteredParticipant {
  readonly name: string;
  readonly domain?: string;
}

/** An outside participant as it was registered. */
export interface OutsideParticipant extends NewParticipant {
  readonly createdAt: Date;
}

interface Known {
  readonly participant: OutsideParticipant;
  readonly secret: KeyObject;
}

/**
 * Who takes part in the requests of a workspace, and what their reports are proved with (decision 8). It needs the master key, but no data
 * key: whoever decides about requests can read nothing of a person. `clock` answers milliseconds since 1970.
 */
export class Participants {
  private readonly workspaces: Collection<WorkspaceDocument>;
  private readonly participants: Collection<ParticipantDocument>;
  private readonly known: LoadingCache<Known>;

  constructor(
    private readonly connection: Connection,
    private readonly seal: MasterSeal,
    private readonly clock: () => number,
  ) {
    ({ workspaces: this.workspaces, participants: this.participants } = collectionsOf(connection));
    this.known = new LoadingCache(CACHE, clock);
  }

  /** Await it before listening. Throws a VaultError `master-key-wrong` where the secrets were sealed under another master key. */
  async ready(): Promise<void> {
    await checkSeal(this.connection, this.seal);
  }

  /** Who must report before a request of this type completes: our own first, then outside ones by name. Throws UnknownWorkspace. */
  async of(ws: string, type: RequestType): Promise<RegisteredParticipant[]> {
    await checkWorkspace(this.workspaces, ws);
    const outside = (await this.list(ws)).filter(({ types }) => types.includes(type));
    return [...BUILT_IN[type].map((name) => ({ name })), ...outside.map(({ name, domain }) => ({ name, domain }))];
  }

  /**
   * Registers an outside participant for requests that start from now on, and answers its secret, which cannot be read again. Its text
   * is what reports are signed with. Throws NameTaken, UnknownWorkspace, TooManyParticipants, or a TypeError for what cannot be right.
   */
  async add(given: NewParticipant): Promise<{ secret: string }> {
    checkNewParticipant(given);
    const { ws, name, domain, types, identityTypes } = given;
    await this.ready();
    await checkWorkspace(this.workspaces, ws);
    if ((await this.participants.countDocuments({ ws })) >= MAX_PARTICIPANTS)
      throw new TooManyParticipants(`${ws} has ${MAX_PARTICIPANTS} participants already`);
    const secret = `dsrp_${randomBytes(SECRET_BYTES).toString('base64url')}`;
    const sealed = this.seal.seal(purposeOf(ws, name), secret);
    const document = {
      _id: idOf(ws, name),
      ws,
      name,
      domain,
      types,
      ...(identityTypes && { identityTypes }),
      sealed,
      createdAt: new Date(this.clock()),
    };
    await this.participants.insertOne(document).catch((error: unknown) => {
      throw duplicateKey(error) ? new NameTaken(`${ws} has a participant ${name} already`) : error;
    });
    return { secret };
  }

  /** The outside participants of a workspace by name, without their secrets. */
  async list(ws: string): Promise<OutsideParticipant[]> {
    const documents = await this.participants.find({ ws }).sort({ name: 1 }).limit(MAX_READ).toArray();
    return documents.map(outsideOf);
  }

  /** False where there was none. Requests that have started still wait for it; its secret proves nothing within 30 s. */
  async remove(ws: string, name: string): Promise<boolean> {
    const { deletedCount } = await this.participants.deleteOne({ _id: idOf(ws, name), ws });
    this.known.drop(idOf(ws, name));
    return deletedCount === 1;
  }

  /** What this participant's reports must be signed with; undefined where it is not registered. At most 30 s old. */
  async reportKey(ws: string, participant: string): Promise<KeyObject | undefined> {
    if (isBuiltIn(participant)) return builtInReportKey(this.seal, participant);
    return (await this.find(ws, participant))?.secret;
  }

  /** The participant, where it proves by its secret that it is the one; compared in constant time. At most 30 s old. */
  async authenticate(ws: string, name: string, secret: string): Promise<OutsideParticipant | undefined> {
    const cached = this.known.peek(idOf(ws, name));
    if (isSameSecret(secret, cached?.secret.export())) return cached?.participant;
    // Who fails costs a look-up, whether there is such a participant or not: the time tells nothing.
    const found = await (cached ? this.known.reload(idOf(ws, name), () => this.read(ws, name)) : this.find(ws, name));
    return isSameSecret(secret, found?.secret.export()) ? found?.participant : undefined;
  }

  private async find(ws: string, name: string): Promise<Known | undefined> {
    if (!PARTICIPANT_NAME.test(name)) return undefined;
    return this.known.get(idOf(ws, name), () => this.read(ws, name));
  }

  private async read(ws: string, name: string): Promise<Known | undefined> {
    const document = await this.participants.findOne({ _id: idOf(ws, name), ws });
    if (!document) return undefined;
    return {
      participant: outsideOf(document),
      secret: createSecretKey(this.seal.open(purposeOf(ws, name), document.sealed), 'utf8'),
    };
  }
}

const idOf = (ws: string, name: string): string => `${ws}:${name}`;
const purposeOf = (ws: string, name: string): string => `participant|${ws}|${name}`;

const outsideOf = ({ ws, name, domain, types, identityTypes, createdAt }: ParticipantDocument): OutsideParticipant => ({
  ws,
  name,
  domain,
  types,
  ...(identityTypes && { identityTypes }),
  createdAt,
});
