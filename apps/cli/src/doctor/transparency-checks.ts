import { loadLogKey } from '@opendsr-service/vault';
import type { NoteVerifier } from '@opendsr-service/transparency';
import type { Storage } from '@opendsr-service/storage';
import type { Terminal } from '../command';
import { secretFileFinding } from './secret-file';
import { ok, warn, type Finding } from './finding';

const KEY = 'log key';
const HOUR_MS = 3_600_000;
/** As in the alert OpenDSRWitnessSilent. */
const LONG_HOURS = 6;

/** Whether the key of the transparency log can be read, and by whom else. Never shows it. */
export async function logKeyFindings(
  file: string | undefined,
  files: Pick<Terminal['files'], 'has' | 'isOpenToOthers'>,
): Promise<readonly Finding[]> {
  if (file === undefined)
    return [warn(KEY, 'TRANSPARENCY_KEY_FILE is not set here, so it was not tested', 'set it to test the file')];
  if (!(await files.has(file))) return [ok(KEY, 'there is none yet: the service that starts makes it')];
  const { name } = await loadLogKey(file);
  return [ok(KEY, `it signs as ${name}`), ...(await secretFileFinding(KEY, file, files))];
}

/** How long ago each witness of the transparency log cosigned. */
export async function witnessFindings(
  storage: Storage,
  witnesses: readonly NoteVerifier[],
  now: Date,
): Promise<readonly Finding[]> {
  if (witnesses.length === 0) return [ok('witnesses', 'the transparency log has none')];
  const { witnessFactsOf } = await import('@opendsr-service/gateway/operation');
  const facts = await witnessFactsOf(await storage.database('gateway'), witnesses);
  return facts.map(({ name, since, hasCosigned, reason }) => {
    const check = `witness ${name}`;
    if (!since) return warn(check, 'it was never asked to cosign', 'start a gateway with this configuration');
    const hours = (now.getTime() - since.getTime()) / HOUR_MS;
    const last = hasCosigned ? `it cosigned ${hours.toFixed(1)} hours ago` : 'it has never cosigned';
    const found = reason === undefined ? last : `${last}, and did not when it was asked last (${reason})`;
    return hasCosigned && hours < LONG_HOURS
      ? ok(check, found)
      : warn(check, found, 'see OpenDSRWitnessSilent in docker/RUNBOOK.md');
  });
}
