import { CHECK_WITHIN_MS, findingsOf, foundBy, type Check, type Finding } from './finding';

/** What has to be opened before it can be looked at. */
export interface Opening<T> extends Pick<Check, 'name' | 'needs'> {
  /** Opens it, hands it to the work, and closes it when that is done. */
  readonly open: (work: (opened: T) => Promise<void>) => Promise<void>;
}

/**
 * Runs the checks of what has to be opened. Opening it may take as long as one check, and so may closing it; each of
 * the checks has that time for
 * itself, so that none takes away what another found.
 */
export async function findingsInside<T>(
  { name, needs, open }: Opening<T>,
  checksOf: (opened: T) => readonly Check[],
  withinMs = CHECK_WITHIN_MS,
): Promise<readonly Finding[]> {
  const inside: Promise<Finding[]>[] = [];
  const isOpen = Promise.withResolvers<undefined>();
  let isGivenUp = false;
  const closed = open(async (opened) => {
    if (isGivenUp) return;
    inside.push(findingsOf(checksOf(opened), withinMs));
    isOpen.resolve(undefined);
    await inside[0];
  });
  const untilOpen = await foundBy(
    { name, ...(needs && { needs }), run: () => Promise.race([isOpen.promise, closed]).then(() => []) },
    withinMs,
  );
  isGivenUp = true;
  const [made] = inside;
  if (!made) return untilOpen;
  return [...(await made), ...(await foundBy({ name, run: () => closed.then(() => []) }, withinMs))];
}
