import { setTimeout as delay } from 'node:timers/promises';
import { inPages } from '@opendsr-service/storage';
import type { Connection } from 'mongoose';
import { scanById, pairById } from './id-order';
import { compareDocument } from './compare-document';
import type { Difference, Projection, StoredDocument } from './projection';
import { withFoldedStore, type FoldedStore, type FoldOptions } from './folded-store';
import { countDifferences, Tally, type Comparison } from './tally';

/** Running services apply events meanwhile: the pauses before each further check of the differences. */
const PAUSES_MS = [200, 500, 1_000, 2_000, 4_000];
const MOST_RECHECKED = 10_000;
const PAGE = 500;

export interface VerifyOptions extends FoldOptions {
  /** Read only. */
  readonly connection: Connection;
  /** Milliseconds before each check after the first. */
  readonly pausesMs?: readonly number[];
}

/** Compares a collection with the log (decision 3) and writes nothing. Temporary differences do not count. */
export function verifyProjection<D extends StoredDocument>(
  projection: Projection<D>,
  verifying: VerifyOptions,
): Promise<Comparison> {
  const { connection, tools, pausesMs = PAUSES_MS, stop } = verifying;
  return withFoldedStore(projection, verifying, async (folded) => {
    const measure = { tools, since: folded.fold.since(tools.now) };
    const tally = new Tally(projection.name);
    const differing: Difference[] = [];
    for await (const pair of pairById<D>(
      scanById(connection, projection.collection),
      scanById(folded.connection, projection.collection),
    )) {
      stop?.throwIfAborted();
      const judged = compareDocument(projection, pair, measure);
      tally.count(judged);
      if (typeof judged === 'object' && differing.length <= MOST_RECHECKED) differing.push(judged.difference);
    }
    const first = tally.comparison;
    if (countDifferences(first) > MOST_RECHECKED) return first;
    const last = await recheck(differing, pausesMs, async (ids) => {
      stop?.throwIfAborted();
      await folded.fold.catchUp();
      return differencesAmong(projection, ids, { connection, folded, measure });
    });
    const again = new Tally(projection.name);
    last.forEach((difference) => {
      again.note(difference);
    });
    return { ...again.comparison, documents: first.documents, older: first.older };
  });
}

async function recheck(
  seen: readonly Difference[],
  pausesMs: readonly number[],
  check: (ids: readonly string[]) => Promise<readonly Difference[]>,
): Promise<readonly Difference[]> {
  let differing = seen;
  for (const pauseMs of pausesMs) {
    if (differing.length === 0) return differing;
    await delay(pauseMs);
    differing = await check(differing.map(({ id }) => id));
  }
  return differing;
}

interface Sides {
  readonly connection: Connection;
  readonly folded: FoldedStore;
  readonly measure: Parameters<typeof compareDocument>[2];
}

async function differencesAmong<D extends StoredDocument>(
  projection: Projection<D>,
  ids: readonly string[],
  { connection, folded, measure }: Sides,
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const page of inPages(ids, PAGE)) {
    const [presents, foldeds] = await Promise.all(
      [connection, folded.connection].map((database) => byId<D>(database, projection.collection, page)),
    );
    for (const id of page) {
      const judged = compareDocument(projection, [presents?.get(id) ?? null, foldeds?.get(id) ?? null], measure);
      if (typeof judged === 'object') found.push(judged.difference);
    }
  }
  return found;
}

async function byId<D extends StoredDocument>(
  connection: Connection,
  collection: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, D>> {
  const found = await connection
    .collection<StoredDocument>(collection)
    .find({ _id: { $in: [...ids] } })
    .toArray();
  return new Map(found.map((document) => [document._id, document as unknown as D]));
}
