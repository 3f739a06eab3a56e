/** What came of holding a rate for a while. */
export interface Held {
  /** Whether everything that came in was done as fast as it came. */
  readonly kept: boolean;
  /** Whether what was left over has been done since, so that another rate can be tried. */
  readonly drained: boolean;
}

export interface RateSteps {
  readonly firstPerSecond: number;
  readonly factor: number;
  /** How often the gap between the last rate that was kept and the first that was not is halved. */
  readonly halvings: number;
  /** Below this no rate is tried. */
  readonly lowestPerSecond: number;
}

/**
 * Raises a rate step by step until it is no longer kept, then halves the gap. A rate is too much that is missed twice: one stall
 * of the machine ends no search. Answers what was measured at the highest rate that was kept, or undefined where not even the
 * lowest was.
 */
export async function highestKept<T extends Held>(
  hold: (perSecond: number) => Promise<T>,
  steps: RateSteps,
): Promise<T | undefined> {
  const holdUnlessStalled = async (perSecond: number): Promise<T> => {
    const held = await hold(perSecond);
    return held.kept || !held.drained ? held : hold(perSecond);
  };
  let best: { readonly perSecond: number; readonly held: T } | undefined;
  let tooMuch = Infinity;
  let halvings = steps.halvings;
  for (let perSecond = steps.firstPerSecond; perSecond >= steps.lowestPerSecond;) {
    const held = await holdUnlessStalled(perSecond);
    if (held.kept) best = { perSecond, held };
    else tooMuch = perSecond;
    if (!held.drained || (best && tooMuch < Infinity && halvings-- === 0)) break;
    perSecond = nextRate(best?.perSecond, tooMuch, steps.factor);
  }
  return best?.held;
}

function nextRate(kept: number | undefined, tooMuch: number, factor: number): number {
  if (kept === undefined) return Math.floor(tooMuch / factor);
  if (tooMuch === Infinity) return Math.ceil(kept * factor);
  return Math.round((kept + tooMuch) / 2);
}
