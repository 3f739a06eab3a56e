import { randomUUID } from 'node:crypto';
import type { ProtocolVersion } from '@opendsr-service/contracts';
import type { CallbackBody } from '../e2e/callback-watch';
import { requestBody, type RequestBody } from '../e2e/controller';
import type { Receiver } from '../receiver/receiver';
import { callbackFaults, type Trust } from '../receiver/verification';

/** One of the sample people. */
export interface Person {
  readonly name: string;
  /** Names and values as identify takes them. */
  readonly identities: {
    readonly customer_id: string;
    readonly email: string;
    readonly [name: string]: string | undefined;
  };
  readonly attributes: object;
  readonly events: readonly object[];
}

/** A request about a person, with its own callback address. */
export function requestAbout(
  { identities }: Person,
  { type, version }: { type: 'access' | 'erasure'; version: ProtocolVersion },
  urlOf: (path: string) => string,
): { body: RequestBody; path: string; url: string } {
  const path = `/callbacks/${randomUUID()}`;
  const url = urlOf(path);
  const subject_identities = [
    { identity_type: 'controller_customer_id', identity_value: identities.customer_id, identity_format: 'raw' },
    { identity_type: 'email', identity_value: identities.email, identity_format: 'raw' },
  ];
  return {
    body: requestBody({ subject_request_type: type, subject_identities, status_callback_urls: [url] }, version),
    path,
    url,
  };
}

/** Waits for the three callbacks of a completed request. Returns their bodies and faults. */
export async function awaitCallbacks(
  receiver: Receiver,
  { path, url }: { path: string; url: string },
  by: { trust: Trust; version: ProtocolVersion },
  timeoutMs: number,
) {
  const callbacks = await receiver.wait(path, 3, timeoutMs);
  return Promise.all(
    callbacks.map(async (callback) => ({
      body: JSON.parse(callback.body.toString()) as CallbackBody,
      faults: await callbackFaults(callback, url, by.trust, by.version),
    })),
  );
}
