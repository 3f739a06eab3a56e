import { checkpoints, LaterMessage, MalformedMessage } from '@opendsr-service/contracts';
import type { LogRecord } from '@opendsr-service/messaging';
import { readCheckpoint, readNote, type NoteSignature, type TreeHead } from '@opendsr-service/transparency';
import { LogRefused } from './log-refused';

export type Signed = TreeHead & { readonly note: string };

/** Undefined: a type that a later version added. */
export function noteOf(record: Pick<LogRecord, 'value' | 'headers'>): string | undefined {
  try {
    return checkpoints.decode(record).note;
  } catch (error) {
    if (error instanceof LaterMessage) return undefined;
    throw error instanceof MalformedMessage ? new LogRefused('unreadable') : error;
  }
}

export const keyOf = ({ name, id }: Pick<NoteSignature, 'name' | 'id'>): string => `${name}+${id.toString('hex')}`;

export const keyOfNote = (note: string): string => (readNote(note)?.signatures ?? []).slice(0, 1).map(keyOf).join('');

/**
 * The larger one, or else the later. Read, not verified: a checkpoint that another key signed counts too. Throws where one size has
 * two roots.
 */
export function newerOf(newest: Signed | undefined, note: string | undefined): Signed | undefined {
  if (note === undefined) return newest;
  const checkpoint = readCheckpoint(readNote(note)?.text ?? '');
  if (!checkpoint) throw new LogRefused('unreadable');
  if (newest?.size === checkpoint.size && !newest.root.equals(checkpoint.root)) throw new LogRefused('forked');
  return !newest || checkpoint.size >= newest.size ? { ...checkpoint, note } : newest;
}
