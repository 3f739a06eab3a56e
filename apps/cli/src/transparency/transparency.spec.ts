import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  attestationPayload,
  messageId,
  requestEvents,
  requestKey,
  STATEMENT_MEDIA_TYPE,
  TOPICS,
  type RequestEvent,
} from '@opendsr-service/contracts';
import { itInFull } from '@opendsr-service/storage/testing';
import {
  bundleOf,
  checkpointText,
  privateKeyText,
  readTilePath,
  signatureBy,
  signNote,
  TILE_WIDTH,
  writeNote,
  type NoteSigner,
} from '@opendsr-service/transparency';
import { cosigner, MemoryTiles } from '@opendsr-service/transparency/testing';
import { ensureLogKey } from '@opendsr-service/vault';
import { say } from '../testing/say';
import { Stores } from '../testing/stores';
import { transparencyAudit } from './transparency-audit.command';
import { transparencyKey } from './transparency-key.command';

const commands = [transparencyKey, transparencyAudit];
const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url');
const LONG_AGO = new Date('2026-01-05T10:00:00Z');
const DUE = new Date('2026-02-05T10:00:00Z');
const FAR = new Date('2100-01-01T00:00:00Z');

let stores: Stores;
let signer: NoteSigner;
let server: Server;
let tiles: MemoryTiles;
let entries: Buffer[];
let folder: string;
let refusals: number;
/** Who cosigns the checkpoint, and after how many calls. */
let cosigners: NoteSigner[];
let asked: number;
let cosignedFrom: number;

beforeAll(async () => {
  stores = await Stores.open();
  await stores.applyTopics();
});
afterAll(() => stores.close());
beforeEach(async () => {
  await stores.empty('requests', 'attestations', 'audit', 'parked');
  signer = await ensureLogKey(join(stores.dataDir, 'keys', 'transparency.key'), 'dsr.example/transparency');
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
  [tiles, entries, refusals] = [new MemoryTiles(), [], 0];
  [cosigners, asked, cosignedFrom] = [[], 0, 0];
  server = createServer((call, answer) => {
    if (refusals-- > 0) answer.writeHead(429, { 'retry-after': '0' }).end();
    else
      void served(call.url?.slice('/transparency/'.length) ?? '').then((bytes) =>
        bytes ? answer.end(bytes) : answer.writeHead(404).end(),
      );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

async function served(path: string): Promise<Buffer | string | undefined> {
  if (path === 'checkpoint') {
    const text = checkpointText({ origin: signer.name, size: tiles.size, root: await tiles.tree().root() });
    const cosignatures = asked++ < cosignedFrom ? [] : cosigners.map((one) => signatureBy(one, text));
    return writeNote({ text, signatures: [...signNote(text, signer).signatures, ...cosignatures] });
  }
  const tile = readTilePath(path.slice('tile/'.length));
  if (!tile) return undefined;
  const { level, index, width } = tile;
  if (level !== 'entries') return tiles.tile({ level, index, width });
  return bundleOf(entries.slice(index * TILE_WIDTH, index * TILE_WIDTH + width));
}

const log = async (...leaves: { kind: string; digest: string; at?: Date; dueAt?: Date; workspace?: string }[]) => {
  const added = leaves.map(({ at = LONG_AGO, ...leaf }) => Buffer.from(JSON.stringify({ ...leaf, at })));
  entries.push(...added);
  await tiles.append(added);
};
const receipt = (text: string, dueAt = DUE) => ({ kind: 'receipt', digest: digestOf(text), dueAt });
const admit = async (text: string, more: object = {}) => {
  const srid = randomUUID();
  await (await stores.database('gateway')).collection<{ _id: string }>('requests').insertOne({
    ...{ _id: requestKey('acme', srid), ws: 'acme', srid, receipt: digestOf(text) },
    ...{ receivedAt: LONG_AGO, expectedAt: DUE, ...more },
  });
  return requestKey('acme', srid);
};
const audit = async (more = '') => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const said = await stores.say(commands, `transparency audit --state ${folder}/seen --url ${url} --json${more}`);
  return { ...said, found: JSON.parse(said.out[0] ?? '{}') as Record<string, unknown> };
};

describe('dsr transparency key', () => {
  it('prints the verifier key and nothing of the private one', async () => {
    const { code, out } = await stores.say(commands, 'transparency key');
    expect([code, out]).toEqual([0, [signer.verifierKey]]);
    const secret = readFileSync(join(stores.dataDir, 'keys', 'transparency.key'), 'utf8').trim();
    // PRIVATE+KEY+name+id+base64, which may have more of that sign.
    expect(out.join()).not.toContain(secret.split('+').slice(4).join('+'));
  });
});

describe('dsr transparency audit', () => {
  it('finds nothing where every document has its leaf, and counts what is open and what is late', async () => {
    await admit('open and late');
    await admit('ended in time', { completedAt: new Date('2026-01-20T10:00:00Z') });
    await admit('ended late', { cancelledAt: new Date('2026-03-01T10:00:00Z') });
    await admit('open', { legalDueAt: FAR });
    await admit('extended', { extendedUntil: FAR });
    await log(...['open and late', 'ended in time', 'ended late', 'extended'].map((text) => receipt(text)));
    await log(receipt('open', FAR));
    const { code, found } = await audit();
    expect([code, found]).toEqual([
      0,
      {
        ...{ size: 5, lastSize: 0, faults: [], documents: 5, missing: [], onTheirWay: 0, changed: [], added: [] },
        ...{ open: 3, late: 2 },
      },
    ]);
  });

  it('keeps the checkpoint that it saw, and proves the next time that the log continues it', async () => {
    await log(receipt('a'));
    await audit(' --log-only');
    expect(readFileSync(`${folder}/seen`, 'utf8')).toContain('dsr.example/transparency\n1\n');
    await log(receipt('b'));
    expect((await audit(' --log-only')).found).toMatchObject({ size: 2, lastSize: 1, faults: [] });
    [tiles, entries] = [new MemoryTiles(), []];
    await log(receipt('c'), receipt('b'));
    const { code, found } = await audit(' --log-only');
    expect([code, found['faults']]).toEqual([1, ['forked']]);
    // What was seen stays the measure.
    expect(readFileSync(`${folder}/seen`, 'utf8')).toContain('dsr.example/transparency\n2\n');
    expect((await audit()).found).not.toHaveProperty('documents');
    expect(found).not.toHaveProperty('kinds');
  });

  it('proves with the old key that a log under a new key continues what was seen', async () => {
    await log(receipt('a'));
    await audit(' --log-only');
    const old = signer;
    signer = await ensureLogKey(join(folder, 'new.key'), 'dsr.example/transparency');
    const keys = ` --log-only --key ${signer.verifierKey} --old-keys ${old.verifierKey}`;
    const grown = [...entries];
    [tiles, entries] = [new MemoryTiles(), []];
    await log(receipt('other'), receipt('b'));
    const forked = await audit(keys);
    expect([forked.code, forked.found['faults']]).toEqual([1, ['forked']]);
    [tiles, entries] = [new MemoryTiles(), grown];
    await tiles.append(grown);
    await log(receipt('b'));
    expect(await audit(keys)).toMatchObject({ code: 0, found: { size: 2, lastSize: 1, faults: [] } });
    // From now on the new key opens what is kept.
    expect((await audit(` --log-only --key ${signer.verifierKey}`)).code).toBe(0);
  });

  it('takes no newer checkpoint that an old key has signed', async () => {
    await log(receipt('a'));
    const next = await ensureLogKey(join(folder, 'new.key'), 'dsr.example/transparency');
    const { code, found } = await audit(` --log-only --key ${next.verifierKey} --old-keys ${signer.verifierKey}`);
    expect([code, found['faults']]).toEqual([1, ['not-signed']]);
    expect(existsSync(`${folder}/seen`)).toBe(false);
  });

  it('names documents without a leaf, except those whose leaf may be on its way', async () => {
    const id = await admit('lost');
    await admit('fresh', { receivedAt: new Date() });
    const { code, found } = await audit();
    expect([code, found['missing'], found['onTheirWay']]).toEqual([1, [`receipt of ${id}`], 1]);
  });

  it('takes what came while it read the log as on its way, however long that lasted', async () => {
    await admit('fresh', { receivedAt: new Date() });
    const now = () => new Date(Date.now() + (asked > 0 ? 2 * 3_600_000 : 0));
    const line = `transparency audit --state ${folder}/seen --url http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, out } = await say(line, { commands, env: { DATA_DIR: stores.dataDir }, now });
    expect([code, out[1]]).toEqual([0, expect.stringMatching(/^1 documents, 0 missing in the log, 1 on their way/)]);
  });

  it('names leaves without a document, and a second leaf of the same document', async () => {
    await admit('once');
    await log(receipt('once'), receipt('invented'), receipt('once'), { kind: 'later kind', digest: 'd' });
    const { code, found } = await audit();
    expect([code, found['added']]).toEqual([1, [1, 2]]);
  });

  it('names requests that ended an hour ago without an attestation, and attestations without a request or a leaf', async () => {
    const at = { status: 'completed', completedAt: LONG_AGO };
    const [attested, without] = [await admit('attested', at), await admit('without', at)];
    await admit('fresh', { status: 'cancelled', cancelledAt: new Date() });
    await log(...['attested', 'without', 'fresh'].map((text) => receipt(text)));
    await (await stores.database('gateway')).collection<{ _id: string }>('attestations').insertMany([
      { _id: attested, ws: 'acme', envelope: 'first', at: LONG_AGO },
      { _id: `${attested}|2`, ws: 'acme', envelope: 'second', at: LONG_AGO },
    ] as never[]);
    await log(...['first', 'invented'].map((text) => ({ kind: 'attestation', digest: digestOf(text) })));
    const { code, found } = await audit();
    expect([code, found['missing'], found['onTheirWay'], found['added']]).toEqual([
      ...[1, [`attestation of ${without}`, `attestation of ${attested}|2`], 1],
      [4],
    ]);
  });

  describe('compares a request with its events on the log, and', () => {
    let srid: string;
    let id: string;
    let value: Buffer;
    const at = LONG_AGO.toISOString();
    const head = (type: RequestEvent['type'], version: number) => ({
      ...{ type, id: messageId(srid, version), ws: 'acme', srid, version, commandSeq: 1, at },
    });
    const previous = () => createHash('sha256').update(value).digest('base64url');
    const publish = async (event: object) => {
      const message = requestEvents.encode(event as RequestEvent);
      await stores.publish(TOPICS.requestEvents.name, message);
      value = message.value;
    };
    const changed = async () => {
      const { code, found } = await audit();
      return [code, found['changed']];
    };
    /** The gateway's document says so. */
    const set = async (fields: object) =>
      (await stores.database('gateway')).collection('requests').updateOne({ srid }, { $set: fields });
    const attest = async (events: string, endedAt = at) => {
      const attestation = {
        ...({ statement: 1, workspace: 'acme', controllerId: 'c', requestId: srid, requestType: 'access' } as const),
        ...({ interfaceVersion: '2.0', receivedAt: at, endedAt, outcome: 'completed', participants: [] } as const),
      };
      const envelope = JSON.stringify({
        payloadType: STATEMENT_MEDIA_TYPE,
        payload: attestationPayload(attestation, { events }).toString('base64'),
        signatures: [{ sig: 'AA==', keyid: 'k' }],
      });
      await (
        await stores.database('gateway')
      )
        .collection<{ _id: string }>('attestations')
        .replaceOne({ _id: id }, { ws: 'acme', srid, envelope, at: LONG_AGO }, { upsert: true });
      await log({ kind: 'attestation', digest: digestOf(envelope) });
    };
    beforeEach(async () => {
      id = await admit('chained', { legalDueAt: DUE });
      srid = id.slice('acme:'.length);
      await log(receipt('chained'));
      const admission = {
        ...{ controllerId: 'c', apiVersion: '2.0', type: 'access', submittedTime: at, receivedAt: at, startAt: at },
        ...{ expectedAt: at, groupId: null, fingerprint: 'f', kid: 'k', identities: 'x'.repeat(40), callbacks: [] },
      };
      await publish({ ...head('RequestReceived', 1), request: admission });
    });

    it('finds nothing in a history whose events hold the digests of those before them, with a repeat', async () => {
      const fulfilled = { ...head('RequestFulfilled', 2), previous: previous() };
      await publish(fulfilled);
      await publish(fulfilled);
      await publish({ ...head('RequestCompleted', 3), previous: previous() });
      await set({ completedAt: LONG_AGO });
      expect(await changed()).toEqual([0, []]);
    });

    it.each([
      ['was moved, so that it does not look late', { completedAt: new Date(LONG_AGO.getTime() - 1) }],
      ['is of another kind', { cancelledAt: LONG_AGO }],
      ['was taken away', {}],
    ])('finds an end that %s', async (_what, end) => {
      await publish({ ...head('RequestCompleted', 2), previous: previous() });
      await set(end);
      expect(await changed()).toEqual([1, [`receipt of ${id}: the event log has another end`]]);
    });

    it('finds an end that no event made, except one of a moment ago', async () => {
      await set({ completedAt: new Date(Date.now() - 60_000) });
      const { code, found } = await audit();
      expect([code, found['changed']]).toEqual([0, []]);
      await set({ completedAt: LONG_AGO });
      expect((await changed())[1]).toEqual([`receipt of ${id}: the event log has another end`]);
    });

    it('finds no fault in an end of a moment ago that its document does not have yet', async () => {
      const moment = new Date(Date.now() - 60_000);
      await publish({ ...head('RequestCompleted', 2), at: moment.toISOString(), previous: previous() });
      expect(await changed()).toEqual([0, []]);
      await set({ cancelledAt: moment });
      expect(await changed()).toEqual([1, [`receipt of ${id}: the event log has another end`]]);
    });

    it('finds an event that was changed, and one that was taken away', async () => {
      const fault = `receipt of ${id}: an event does not hold the digest of the one before it`;
      await publish({ ...head('RequestFulfilled', 2), previous: digestOf('another first event') });
      expect(await changed()).toEqual([1, [fault]]);
      const other = await admit('gap', { legalDueAt: DUE });
      await log(receipt('gap'));
      srid = other.slice('acme:'.length);
      await publish(head('RequestFulfilled', 2));
      await publish({ ...head('RequestCompleted', 4), previous: previous() });
      expect(await changed()).toEqual([1, expect.arrayContaining([fault, fault.replace(id, other)])]);
    });

    it('finds an extension that the event log lacks', async () => {
      await set({ extendedUntil: FAR });
      expect(await changed()).toEqual([1, [`receipt of ${id}: the event log has another extension`]]);
    });

    it('finds no fault in an extension that was decided a moment ago, whose event is on its way', async () => {
      await set({ extendedUntil: FAR, extendedAt: new Date(Date.now() - 60_000) });
      expect(await changed()).toEqual([0, []]);
      await set({ extendedAt: LONG_AGO });
      expect(await changed()).toEqual([1, [`receipt of ${id}: the event log has another extension`]]);
    });

    it('finds a last event that is not the attested one, and an end that the attestation does not say', async () => {
      await publish({ ...head('RequestCompleted', 2), previous: previous() });
      await set({ completedAt: LONG_AGO });
      await attest(previous());
      expect(await changed()).toEqual([0, []]);
      await set({ completedAt: new Date(0) });
      expect((await changed())[1]).toEqual(
        expect.arrayContaining([`attestation of ${id}: its request has another end`]),
      );
      await set({ completedAt: LONG_AGO });
      await attest(digestOf('another'));
      expect(await changed()).toEqual([1, [`attestation of ${id}: the event log has another last event`]]);
    });

    it('finds no fault in a request that was read as open and ended a moment ago', async () => {
      await attest(digestOf('its last event'), new Date(Date.now() - 60_000).toISOString());
      expect(await changed()).toEqual([0, []]);
    });
  });

  itInFull('compares waivers with the event log, drops and reveals with the audit trail', async () => {
    const srid = randomUUID();
    const waived = {
      ...{ type: 'ParticipantReported', id: messageId(srid, 3), ws: 'acme', srid, version: 3, commandSeq: 2 },
      ...{ at: LONG_AGO.toISOString(), participant: 'crm', status: 'skipped', waivedBy: 'ops' },
    } as RequestEvent;
    const message = requestEvents.encode(waived);
    await stores.publish(TOPICS.requestEvents.name, message);
    const { found } = await audit();
    expect(found['missing']).toEqual([`waiver of acme:${srid} version 3`]);
    await log({ kind: 'waiver', digest: createHash('sha256').update(message.value).digest('base64url') });
    expect((await audit()).code).toBe(0);
    await (await stores.database('gateway')).collection<{ _id: string }>('audit').insertOne({
      ...{ _id: 'entry-1', ws: 'acme', srid, action: 'parked-drop-asked', record: 'r', by: 'ops', because: 'b' },
      at: LONG_AGO,
    } as never);
    expect((await audit()).found['missing']).toEqual(['parked-drop of audit entry-1']);
    await (await stores.database('gateway')).collection<{ _id: string }>('audit').insertOne({
      ...{ _id: 'entry-2', ws: 'acme', srid, action: 'identities-revealed', role: 'officer', by: 'ann', reason: 'x' },
      at: LONG_AGO,
    } as never);
    expect((await audit()).found['missing']).toContain('identity-reveal of audit entry-2');
    await log({ kind: 'identity-reveal', digest: digestOf('invented') });
    expect((await audit()).found['added']).toEqual([1]);
    expect((await audit(' --restored 2026-01-05/2026-01-06')).found).toMatchObject({ added: [], lost: [1] });
  });

  it('needs no store where options say so, and says in words what it found', async () => {
    await log(receipt('a'));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const line = `transparency audit --state ${folder}/words --url ${url} --key ${signer.verifierKey} --log-only`;
    const { code, out } = await stores.say(commands, line);
    expect([code, out]).toEqual([
      0,
      [
        'the log has 1 leaves, continues the 0 that were seen, and is what it says',
        'leaves: receipt 1',
        'receipts by the month of their legal date: 2026-02 1',
        '1 receipts past their legal date',
        'at least 1 requests open, at least 1 of them past their legal date',
      ],
    ]);
  });

  it('counts for anyone what the leaves say, by kind and by month, and what is open and overdue at least', async () => {
    const due = (dueAt: string | undefined, workspace = 'a') => ({
      ...{ kind: 'receipt', digest: 'd', workspace },
      ...(dueAt !== undefined && { dueAt: new Date(dueAt) }),
    });
    const of = (kind: string, workspace = 'a') => ({ kind, digest: 'd', workspace });
    await log(due('2026-01-31T22:59:59Z'), due('2026-02-01T00:00:00Z'), due('2026-02-02T00:00:00Z'));
    await log(due('2100-02-01T00:00:00Z'), due(undefined), due('2026-03-01T00:00:00Z', 'b'));
    await log(of('attestation'), of('extension'), of('waiver'), of('later kind'));
    // Two attestations of one request of b say nothing of those of a.
    await log(of('attestation', 'b'), of('attestation', 'b'));
    const { code, found } = await audit(' --log-only');
    expect([code, found]).toEqual([
      0,
      {
        ...{ size: 12, lastSize: 0, faults: [] },
        kinds: { attestation: 3, extension: 1, 'later kind': 1, receipt: 6, waiver: 1 },
        receiptsByDueMonth: { '2026-01': 1, '2026-02': 2, '2026-03': 1, '2100-02': 1 },
        ...{ receiptsPastDue: 4, openAtLeast: 4, overdueAtLeast: 1 },
      },
    ]);
  });

  it('waits where the log limits it, and says where it cannot read it', async () => {
    await log(receipt('a'));
    refusals = 3;
    expect((await audit(' --log-only')).code).toBe(0);
    const away = await stores.say(
      commands,
      `transparency audit --state ${folder}/x --url http://127.0.0.1:1 --log-only`,
    );
    expect([away.code, away.err]).toEqual([1, ['http://127.0.0.1:1/transparency cannot be reached']]);
  });

  const witnessOf = (name: string, fill: number) =>
    cosigner(privateKeyText(name, Buffer.alloc(32, fill)), () => 1_700_000_000n);
  const [first, second] = [witnessOf('witness.example/w1', 1), witnessOf('witness.example/w2', 2)];
  const both = ` --log-only --witnesses ${first.verifierKey},${second.verifierKey}`;

  it('says which witnesses have cosigned the checkpoint, and keeps their cosignatures', async () => {
    await log(receipt('a'));
    cosigners = [first, witnessOf('witness.example/w2', 9)];
    const { code, found } = await audit(`${both} --require-witnesses 1`);
    expect([code, found]).toMatchObject([
      0,
      {
        ...{ size: 1, lastSize: 0, faults: [] },
        cosigned: [{ witness: 'witness.example/w1', at: '2023-11-14T22:13:20.000Z' }],
        notCosigned: ['witness.example/w2'],
      },
    ]);
    expect(readFileSync(`${folder}/seen`, 'utf8')).toContain('— witness.example/w1 ');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { out } = await stores.say(commands, `transparency audit --state ${folder}/seen --url ${url}${both}`);
    expect(out.slice(-2)).toEqual([
      'cosigned by witness.example/w1, which saw it at 2023-11-14T22:13:20.000Z',
      'NOT cosigned by witness.example/w2',
    ]);
  });

  itInFull('waits for cosignatures that are required, and fails where too few come', async () => {
    await log(receipt('a'));
    [cosigners, cosignedFrom] = [[first], 3];
    expect((await audit(`${both} --require-witnesses 1`)).code).toBe(0);
    rmSync(`${folder}/seen`);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const line = `transparency audit --state ${folder}/seen --url ${url}${both}`;
    const { code, out } = await stores.say(commands, `${line} --require-witnesses 2`);
    expect([code, out.at(-1)]).toEqual([1, 'the checkpoint has 1 of the 2 cosignatures that are required']);
    expect(existsSync(`${folder}/seen`)).toBe(false);
  });

  it('refuses witnesses that are none, and to require more than are named', async () => {
    const line = `transparency audit --state ${folder}/x --log-only`;
    for (const more of [`--witnesses ${signer.verifierKey}`, '--witnesses planted', '--require-witnesses 1']) {
      const { code, err } = await stores.say(commands, `${line} ${more}`);
      expect([more, code]).toEqual([more, 2]);
      expect(err.join()).not.toContain('planted');
    }
  });

  it('refuses a key and a kept checkpoint that are none, and an address with a password', async () => {
    const keys = ['--key planted', `--old-keys ${signer.verifierKey},planted`];
    for (const more of [...keys, '--url https://:planted@dsr.example']) {
      const { code, err } = await stores.say(commands, `transparency audit --state ${folder}/x ${more}`);
      expect([more, code]).toEqual([more, 2]);
      expect(err.join()).not.toContain('planted');
    }
    await log(receipt('a'));
    await audit(' --log-only');
    signer = await ensureLogKey(join(folder, 'other.key'), 'dsr.example/transparency');
    const { code, err } = await audit(` --log-only --key ${signer.verifierKey}`);
    expect([code, err]).toEqual([1, [expect.stringContaining('seen does not hold a checkpoint of this log')]]);
  });
});
