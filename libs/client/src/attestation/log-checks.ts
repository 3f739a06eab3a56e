import { isIncluded, isSignedBy, leafHash, openCheckpoint, type NoteVerifier } from '@opendsr-service/transparency';
import { readEntry, type AttestationFile } from './read-file';
import type { AttestationCheck } from './types';
import { checked } from './checked';

/** The keys of a log and of those who watch it. */
export interface LogTrust {
  readonly log: NoteVerifier;
  readonly witnesses: readonly NoteVerifier[];
}

/** `at`: when the log took the envelope; undefined after a failed check. */
export interface LogFindings {
  readonly checks: readonly AttestationCheck[];
  readonly at: string | undefined;
}

/** Whether the log has the envelope. The checks end with the first failure. */
export function logChecks({ bundle, digest }: AttestationFile, { log, witnesses }: LogTrust): LogFindings {
  if (!bundle) return failedWith([checked('checkpoint', false, 'the envelope came alone: its bundle has the proof')]);
  const checkpoint = openCheckpoint(bundle.checkpoint, log);
  const checks = [checked('checkpoint', checkpoint !== undefined, 'signed with the key of the log')];
  if (!checkpoint) return failedWith(checks);
  const haveCosigned = witnesses.every((witness) => isSignedBy(checkpoint.note, witness));
  const inclusion = bundle.inclusion.map((hash) => Buffer.from(hash));
  const isInside = isIncluded(leafHash(Buffer.from(bundle.entry)), bundle.index, inclusion, checkpoint);
  const entry = readEntry(bundle);
  const isOfThis = entry?.kind === 'attestation' && entry.digest === digest;
  checks.push(
    checked('witnesses', haveCosigned, `${String(witnesses.length)} named, all of which must have cosigned`),
    checked('inclusion', isInside, 'the proof leads from the entry to the root of the checkpoint'),
    checked('entry', isOfThis, 'of an attestation, with the digest of this envelope'),
  );
  return { checks, at: isOfThis ? entry.at : undefined };
}

const failedWith = (checks: readonly AttestationCheck[]): LogFindings => ({ checks, at: undefined });
