import { setTimeout as sleep } from 'node:timers/promises';
import type { ProtocolVersion, RequestStatus } from '@opendsr-service/contracts';
import { accepted, type Callback, type ReceiverAnswer } from '../../receiver/receiver';
import { callbackFaults } from '../../receiver/verification';
import type { Heard } from '../deaths/delivery-ledger';
import type { Called } from './cluster';

/** What a receiver answers that does not believe a callback: it is to come again. */
const refused: ReceiverAnswer = { status: 503 };
/** Taking a callback takes a while, so that signals come between its sending and its answer. */
const TAKING_MS = 20;

/** Receives the callbacks of one request at its own address with every check of a controller. */
export function hear(
  { receiver, trustOf }: Called,
  id: string,
  version: ProtocolVersion,
): { readonly url: string; readonly heard: readonly Heard[] } {
  const heard: Heard[] = [];
  const path = `/${id}`;
  const url = receiver.url(path);
  receiver.answer(path, async (callback) => {
    const isBelieved = (await callbackFaults(callback, url, trustOf(version), version)).length === 0;
    await sleep(TAKING_MS);
    heard.push({
      status: statusOf(callback),
      delivery: String(callback.headers['x-delivery-id']),
      body: callback.body,
      isBelieved,
      isAccepted: isBelieved,
    });
    return isBelieved ? accepted : refused;
  });
  return { url, heard };
}

const statusOf = ({ body }: Callback): RequestStatus =>
  (JSON.parse(body.toString()) as { request_status: RequestStatus }).request_status;
