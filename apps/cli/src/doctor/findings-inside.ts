import { CHECK_WITHIN_MS, findingsOf, foundBy, type Check, type Finding } from './finding';

/** Stores that must be open for their checks. */
export interface Opening<T> extends Pick<Check, 'name' | 'needs'> {
  /** Opens the stores, does the work and closes them. */
  readonly open: (work: (opened: T) => Promise<void>) => Promise<void>;
}

/**
 * Runs the checks of stores. Opening, each check and closing have the full time each, so that none hides the findings
 * of another.
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
