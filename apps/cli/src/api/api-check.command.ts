import { setTimeout as sleep } from 'node:timers/promises';
import { V1, V2 } from '@opendsr-service/contracts';
import { command, type Terminal } from '../command';
import { exitOf, findingsOf, lineOf, type Check, type Finding } from '../doctor/finding';
import { address, optional, required, wholeNumber } from '../options';
import { jsonOption, show } from '../output';
import { ingestionFindings, versionFindings } from './api.client';

const MAX_WAIT_SECONDS = 3_600;
const POLL_MS = 500;

/** `dsr api check`: whether a running installation answers callers (docs/operating.md); `helm test` runs it. */
export const apiCheck = command({
  words: 'api check',
  meaning:
    'asks a running installation, without credentials and settings, what a controller asks first: ' +
    'discovery and signing certificate of version 2 at --url and of version 1 at --url-v1, and whether ' +
    'ingestion answers at --ingest-url. --wait: asks again for so long until all is well',
  options: {
    url: required('URL', address),
    'url-v1': optional('URL', address),
    'ingest-url': optional('URL', address),
    wait: optional('SECONDS', wholeNumber(1, MAX_WAIT_SECONDS)),
    ...jsonOption,
  },
  run: async ({ url, 'url-v1': urlV1, 'ingest-url': ingestUrl, wait = 0, json }, terminal) => {
    const checks: readonly Check[] = [
      { name: 'version 2.0', run: () => versionFindings(V2, url, terminal.now()) },
      ...(urlV1 ? [{ name: 'version 1.0', run: () => versionFindings(V1, urlV1, terminal.now()) }] : []),
      ...(ingestUrl ? [{ name: 'ingestion', run: () => ingestionFindings(ingestUrl) }] : []),
    ];
    const findings = await wellOrLate(checks, wait * 1_000, terminal);
    show(terminal, { json }, { findings }, () => findings.map(lineOf));
    return exitOf(findings);
  },
});

/** Checks until nothing fails, or until the time is over. */
async function wellOrLate(
  checks: readonly Check[],
  withinMs: number,
  { now }: Pick<Terminal, 'now'>,
): Promise<readonly Finding[]> {
  const deadlineMs = now().getTime() + withinMs;
  for (;;) {
    const findings = await findingsOf(checks);
    if (findings.every(({ state }) => state !== 'fail') || now().getTime() >= deadlineMs) return findings;
    await sleep(POLL_MS);
  }
}
