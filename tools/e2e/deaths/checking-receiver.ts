import { setTimeout as sleep } from 'node:timers/promises';
import { createVerifier } from '@opendsr-service/client';
import type { RequestStatus } from '@opendsr-service/contracts';
import { accepted, type Callback, type Receiver, type ReceiverAnswer } from '../../receiver/receiver';
import { DeliveryLedger } from './delivery-ledger';

/** The time to take a callback, so that deaths come between its sending and its answer. */
const ANSWER_AFTER_MS = 10;
/** Of this many destinations one fails at first, and another one asks to wait. */
const ONE_OF = 40;
const failed: ReceiverAnswer = { status: 500 };
const later: ReceiverAnswer = { status: 503, headers: { 'retry-after': '1' } };

/** The processor's certificate as a controller saved it. */
export interface SavedCertificate {
  readonly domain: string;
  readonly authorityPem: string;
  readonly certificatePem: string;
}

/** Receivers with a ledger; `open`: whether they accept callbacks yet. */
export interface CheckingReceiver {
  readonly ledger: DeliveryLedger;
  open: boolean;
}

/** Receives at a destination for each path and makes every check of a controller. */
export function startCheckingReceiver(
  receiver: Receiver,
  destinations: ReadonlyMap<string, readonly RequestStatus[]>,
  { domain, authorityPem: trust, certificatePem }: SavedCertificate,
): CheckingReceiver {
  const verifier = createVerifier({ allowedDomains: [domain], callbackUrls: () => true, trust, certificatePem });
  const checking = { ledger: new DeliveryLedger(destinations), open: true };
  [...destinations.keys()].forEach((path, n) => {
    receiver.answer(path, async (callback, earlier) => {
      const { request_status: status, status_callback_url: url } = JSON.parse(callback.body.toString()) as {
        request_status: RequestStatus;
        status_callback_url: string;
      };
      const { valid } = await verifier.verify(callback.body, callback.headers);
      await sleep(ANSWER_AFTER_MS);
      const answer = checking.open ? answerFor(n, earlier) : later;
      checking.ledger.note(path, {
        status,
        delivery: header(callback, 'x-delivery-id'),
        body: callback.body,
        isBelieved: valid && isMine(receiver, path, url),
        isAccepted: answer === accepted,
      });
      return answer;
    });
  });
  return checking;
}

function answerFor(n: number, earlier: readonly Callback[]): ReceiverAnswer {
  if (earlier.length > 0) return accepted;
  if (n % ONE_OF === 0) return failed;
  return n % ONE_OF === 1 ? later : accepted;
}

const header = ({ headers }: Callback, name: string): string => String(headers[name]);

const isMine = (receiver: Receiver, path: string, url: string): boolean =>
  [receiver.url(path), receiver.url(path, 'localhost')].includes(url);
