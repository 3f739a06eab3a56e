import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { readCheckpoint } from '../notes/checkpoint';
import { cosigner, privateKeyText, type NoteSigner, type NoteVerifier } from '../notes/keys';
import { isSignedBy, readNote, signatureBy, signatureLine, type Note } from '../notes/note';
import type { Offer } from '../notes/offer';
import type { TreeHead } from '../merkle/verify';
import { isConsistent } from './is-consistent';

/** What a witness does wrong: hangs, closes the connection, answers another status, or anything else. */
type Fault = 'hangs' | 'closes' | number | ((answer: ServerResponse, note: Note) => void);

/**
 * A witness of the C2SP protocol for specs, our own: it checks what the protocol says, and can misbehave. What it takes for
 * granted, `litewitness.int.spec.ts` of the gateway shows with a witness that is not ours.
 */
export class WitnessDouble {
  static async start(log: NoteVerifier, name = 'witness.example/w1', fill = 3): Promise<WitnessDouble> {
    const double = new WitnessDouble(log, name, fill);
    await double.listen(0);
    return double;
  }

  readonly signer: NoteSigner;
  /** What it cosigned last. */
  seen: TreeHead = { size: 0, root: Buffer.alloc(0) };
  /** The old sizes of all offers, in order. */
  readonly offers: number[] = [];
  /** The time in its cosignatures, in seconds. */
  seconds = 1_700_000_000n;
  fault: Fault | undefined;
  private server: Server | undefined;
  private port = 0;

  private constructor(
    private readonly log: NoteVerifier,
    name: string,
    fill: number,
  ) {
    this.signer = cosigner(privateKeyText(name, Buffer.alloc(32, fill)), () => this.seconds);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/w1`;
  }

  /** As TRANSPARENCY_WITNESSES names it. */
  get setting(): string {
    return `${this.signer.verifierKey} ${this.url}`;
  }

  /** Listens again, at the same address. */
  async return(): Promise<void> {
    await this.listen(this.port);
  }

  async leave(): Promise<void> {
    const closed = this.server && once(this.server, 'close');
    this.server?.close();
    this.server?.closeAllConnections();
    await closed;
    this.server = undefined;
  }

  private async listen(port: number): Promise<void> {
    this.server = createServer((asked, answer) => void this.answer(asked, answer)).listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  private async answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const offer =
      asked.method === 'POST' && asked.url === '/w1/add-checkpoint' ? readOffer(await text(asked)) : undefined;
    if (!offer) return void answer.writeHead(400).end();
    this.offers.push(offer.oldSize);
    if (this.fault === 'hangs') return;
    if (this.fault === 'closes') return void asked.socket.destroy();
    if (typeof this.fault === 'number') return void answer.writeHead(this.fault).end();
    if (this.fault) return this.fault(answer, offer.note);
    this.judge(offer, answer);
  }

  private judge({ oldSize, proof, note }: ReadOffer, answer: ServerResponse): void {
    const checkpoint = readCheckpoint(note.text);
    if (checkpoint?.origin !== this.log.name) return void answer.writeHead(404).end();
    if (!isSignedBy(note, this.log)) return void answer.writeHead(403).end();
    if (oldSize > checkpoint.size) return void answer.writeHead(400).end();
    const isSameSize = oldSize === checkpoint.size;
    if (oldSize !== this.seen.size || (isSameSize && oldSize > 0 && !this.seen.root.equals(checkpoint.root)))
      return void answer.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${this.seen.size}\n`);
    if (!isConsistent(this.seen, checkpoint, proof)) return void answer.writeHead(422).end();
    this.seen = checkpoint;
    answer.end(signatureLine(signatureBy(this.signer, note.text)));
  }
}

interface ReadOffer extends Omit<Offer, 'note'> {
  readonly note: Note;
}

function readOffer(body: string): ReadOffer | undefined {
  const [head = '', ...rest] = body.split('\n\n');
  const [old = '', ...proof] = head.split('\n');
  const size = /^old (0|[1-9]\d*)$/.exec(old)?.[1];
  const note = readNote(rest.join('\n\n'));
  if (size === undefined || !note) return undefined;
  return { oldSize: Number(size), proof: proof.map((hash) => Buffer.from(hash, 'base64')), note };
}
