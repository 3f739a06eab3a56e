import { setTimeout as sleep } from 'node:timers/promises';
import { V1, V2 } from '@opendsr-service/contracts';
import type { Terminal } from '../command';
import { findingsOf, type Check, type Finding } from '../doctor/finding';
import { ingestionFindings, versionFindings } from './api.client';

const POLL_MS = 500;

/** What is asked: version 2, and what else has an address. */
interface Asked {
  readonly url: URL;
  readonly urlV1: URL | undefined;
  readonly ingestUrl: URL | undefined;
}

const checksOf = ({ url, urlV1, ingestUrl }: Asked, { now }: Pick<Terminal, 'now'>): readonly Check[] => [
  { name: 'version 2.0', run: () => versionFindings(V2, url, now()) },
  ...(urlV1 ? [{ name: 'version 1.0', run: () => versionFindings(V1, urlV1, now()) }] : []),
  ...(ingestUrl ? [{ name: 'ingestion', run: () => ingestionFindings(ingestUrl) }] : []),
];

/** Asks until nothing fails, or until the time is over. */
export async function askUntilWell(
  asked: Asked,
  withinMs: number,
  terminal: Pick<Terminal, 'now'>,
): Promise<readonly Finding[]> {
  const deadlineMs = terminal.now().getTime() + withinMs;
  for (;;) {
    const findings = await findingsOf(checksOf(asked, terminal));
    const isWell = findings.every(({ state }) => state !== 'fail');
    if (isWell || terminal.now().getTime() >= deadlineMs) return findings;
    await sleep(POLL_MS);
  }
}
