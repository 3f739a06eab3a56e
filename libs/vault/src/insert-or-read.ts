import { setTimeout } from 'node:timers/promises';
import { duplicateKey } from '@opendsr-service/storage';

const TRIES = 100;
const PAUSE_MS = 50;

/** The first insert wins; the others return what it inserted. A majority read may lag, so a loser retries for 5 s. */
export async function insertOrRead<D>(
  document: D,
  read: () => Promise<D | null>,
  insert: (document: D) => Promise<unknown>,
): Promise<D> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await setTimeout(PAUSE_MS);
    const kept = await read();
    if (kept) return kept;
    try {
      await insert(document);
      return document;
    } catch (error) {
      if (!duplicateKey(error)) throw error;
    }
  }
  throw new Error('the store reports a duplicate document but does not return it');
}
