import { readFile } from 'node:fs/promises';
import { egressPolicyOf, type egressSettings, type Profile, type sendingSettings, type Values } from '@opendsr-service/runtime';
import type { Sending } from '../dispatch/callbacks.client';

/** The settings of callbacks' connections, and those that they depend on. */
export type SendingValues = Values<typeof egressSettings & typeof sendingSettings> & { readonly TIMING_PROFILE: Profile; readonly CALLBACK_CONCURRENCY: number; readonly CALLBACK_SLOW_CONCURRENCY: number };

/** How callbacks are sent as it is configured. */
export const sendingOf = async (values: SendingValues): Promise<Sending> => ({
  policy: egressPolicyOf(values),
  limits: {
    connectMs: values.CALLBACK_CONNECT_TIMEOUT_MS,
    headersMs: values.CALLBACK_HEADERS_TIMEOUT_MS,
    bodyMs: values.CALLBACK_BODY_TIMEOUT_MS,
    totalMs: values.CALLBACK_TIMEOUT_MS,
    answerBytes: values.CALLBACK_ANSWER_LIMIT_BYTES,
    // As many as there can be tries: workspaces share connections, and no limit here must have one wait for another.
    connections: values.CALLBACK_CONCURRENCY + values.CALLBACK_SLOW_CONCURRENCY,
  },
  extraCa: values.CALLBACK_CA_FILE === undefined ? undefined : await readFile(values.CALLBACK_CA_FILE, 'utf8'),
  clientCertDir: values.CALLBACK_CLIENT_CERT_DIR,
});
