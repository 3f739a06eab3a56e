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

/** Our own participants in each type (decisions 8, 13 and 14). */
const BUILT_IN: Readonly<Record<RequestType, readonly string[]>> = {
  access: [PARTICIPANTS.results],
  portability: [PARTICIPANTS.results],
  erasure: [PARTICIPANTS.ingestion, PARTICIPANTS.results],
};
const SECRET_BYTES = 32;
/** Each is part of the status of a request. Concurrent additions may exceed it. */
const MAX_PARTICIPANTS = 100;
const MAX_READ = 1_000;
const CACHE = { maxEntries: 10_000, maxAgeMs: 30_000 };

/** A participant that must report before a request completes; `domain` is that of an outside participant. */
export interface RegisteredParticipant {
  readonly name: string;
  readonly domain?: string;
}

export interface OutsideParticipant extends NewParticipant {
  readonly createdAt: Date;
}

interface Known {
  readonly participant: OutsideParticipant;
  readonly secret: KeyObject;
}

/** The participants of workspaces and the keys of their reports (decision 8). It has no data key, so it cannot read personal data. */
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

  /** Call it before listening. Throws a VaultError `master-key-wrong`. */
  async ready(): Promise<void> {
    await checkSeal(this.connection, this.seal);
  }

  /** Our own participants first, then outside ones by name. Throws UnknownWorkspace. */
  async participantsOf(ws: string, type: RequestType): Promise<RegisteredParticipant[]> {
    await checkWorkspace(this.workspaces, ws);
    const outside = (await this.list(ws)).filter(({ types }) => types.includes(type));
    return [...BUILT_IN[type].map((name) => ({ name })), ...outside.map(({ name, domain }) => ({ name, domain }))];
  }

  /** Returns the secret that signs its reports. Throws NameTaken, UnknownWorkspace, TooManyParticipants, or a TypeError. */
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

  /** At most `limit` of all workspaces, by workspace and name, beginning after this one. */
  async listAll(
    after: Pick<OutsideParticipant, 'ws' | 'name'> | undefined,
    limit: number,
  ): Promise<OutsideParticipant[]> {
    const from = after ? idOf(after.ws, after.name) : '';
    const documents = await this.participants
      .find({ _id: { $gt: from } })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
    return documents.map(outsideOf);
  }

  async list(ws: string): Promise<OutsideParticipant[]> {
    const documents = await this.participants.find({ ws }).sort({ name: 1 }).limit(MAX_READ).toArray();
    return documents.map(outsideOf);
  }

  /** Started requests still wait for it; its secret is refused within 30 s. False: no such participant. */
  async remove(ws: string, name: string): Promise<boolean> {
    const { deletedCount } = await this.participants.deleteOne({ _id: idOf(ws, name), ws });
    this.known.drop(idOf(ws, name));
    return deletedCount === 1;
  }

  /** The key that signs the reports of the participant, at most 30 s old. */
  async reportKey(ws: string, participant: string): Promise<KeyObject | undefined> {
    if (isBuiltIn(participant)) return builtInReportKey(this.seal, participant);
    return (await this.find(ws, participant))?.secret;
  }

  async authenticate(ws: string, name: string, secret: string): Promise<OutsideParticipant | undefined> {
    const cached = this.known.peek(idOf(ws, name));
    if (isSameSecret(secret, cached?.secret.export())) return cached?.participant;
    // Each failure costs a look-up, so the time does not show whether the participant exists.
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
