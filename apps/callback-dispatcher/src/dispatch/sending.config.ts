import { readFile } from 'node:fs/promises';
import { egressPolicyOf } from '@opendsr-service/config';
import manifest from '../../package.json';
import type { DispatchValues } from '../callback-dispatcher.config';
import type { Sending } from './callbacks.client';

/** For the firewalls and logs of receivers (RFC 9110, "User-Agent"). */
const userAgentOf = (contactUrl: string | undefined): string =>
  `opendsr-service/${manifest.version}${contactUrl === undefined ? '' : ` (+${contactUrl})`}`;

export const sendingOf = async (values: DispatchValues): Promise<Sending> => ({
  policy: egressPolicyOf(values),
  limits: {
    connectMs: values.CALLBACK_CONNECT_TIMEOUT_MS,
    headersMs: values.CALLBACK_HEADERS_TIMEOUT_MS,
    bodyMs: values.CALLBACK_BODY_TIMEOUT_MS,
    totalMs: values.CALLBACK_TIMEOUT_MS,
    answerBytes: values.CALLBACK_ANSWER_LIMIT_BYTES,
    // No workspace waits for another's connection.
    connections: values.CALLBACK_CONCURRENCY + values.CALLBACK_SLOW_CONCURRENCY,
  },
  extraCa: values.CALLBACK_CA_FILE === undefined ? undefined : await readFile(values.CALLBACK_CA_FILE, 'utf8'),
  userAgent: userAgentOf(values.CALLBACK_CONTACT_URL),
  clientCertDir: values.CALLBACK_CLIENT_CERT_DIR,
});
