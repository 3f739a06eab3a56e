import type { Visitor } from './visitor';

/**
 * Visitors who come again: one page, with the scripts of the console read and its visitor signed in, serves one rule
 * after another. A new one costs more than most rules do.
 */
export class KeptVisitors {
  private readonly resting = new Map<string, Visitor[]>();

  /** One of this name whose page is free, or a new one. `tidy` is done before anybody uses the page again. */
  async enter(
    name: string,
    make: () => Promise<Visitor>,
    tidy: (visitor: Visitor) => Promise<void> = () => Promise.resolve(),
  ): Promise<Visitor> {
    const free = this.resting.get(name) ?? [];
    this.resting.set(name, free);
    const rested = free.pop();
    if (rested) return rested;
    const visitor = await make();
    visitor.keepFor(async (one) => {
      await tidy(one);
      free.push(one);
    });
    return visitor;
  }
}
