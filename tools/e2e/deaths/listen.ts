import { setTimeout as sleep } from 'node:timers/promises';
import { V2, type RequestStatus } from '@opendsr-service/contracts';
import { verifySignature } from '@opendsr-service/signing';
import { accepted, type Callback, type Receiver, type ReceiverAnswer } from '../../receiver/receiver';
import { DeliveryLedger } from './delivery-ledger';

/** Taking a callback takes a while, so that deaths come between its sending and its answer. */
const TAKING_MS = 10;
/** Of so many lanes one fails at first, and another asks to wait. */
const ONE_OF = 40;
const failed: ReceiverAnswer = { status: 500 };
const later: ReceiverAnswer = { status: 503, headers: { 'retry-after': '1' } };

/** Receivers that keep a ledger; `open`: whether they take anything yet. */
export interface Listening {
  readonly ledger: DeliveryLedger;
  open: boolean;
}

/** Listens on a lane for each path, each with its own moods. */
export function listen(receiver: Receiver, lanes: ReadonlyMap<string, readonly RequestStatus[]>, certificatePem: () => string): Listening {
  const listening = { ledger: new DeliveryLedger(lanes), open: true };
  [...lanes.keys()].forEach((path, n) => {
    receiver.answer(path, async (callback, earlier) => {
      const { request_status: status } = JSON.parse(callback.body.toString()) as { request_status: RequestStatus };
      await sleep(TAKING_MS);
      const answer = listening.open ? moodOf(n, earlier) : later;
      listening.ledger.note(path, { status, delivery: header(callback, 'x-delivery-id'), body: callback.body, isSigned: isSigned(callback, certificatePem()), isAccepted: answer === accepted });
      return answer;
    });
  });
  return listening;
}

function moodOf(n: number, earlier: readonly Callback[]): ReceiverAnswer {
  if (earlier.length > 0) return accepted;
  if (n % ONE_OF === 0) return failed;
  return n % ONE_OF === 1 ? later : accepted;
}

const header = ({ headers }: Callback, name: string): string => String(headers[name]);

const isSigned = (callback: Callback, certificatePem: string): boolean => verifySignature(callback.body, header(callback, V2.signatureHeader.toLowerCase()), certificatePem);
