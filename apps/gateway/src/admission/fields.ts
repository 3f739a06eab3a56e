type Named<D> = readonly (keyof D & string)[];

/** The named fields that are defined. */
export const only = <D extends object>(document: D, names: Named<D>): Partial<D> =>
  chosen(document, (name) => names.some((one) => one === name));

export const without = <D extends object, N extends keyof D & string>(document: D, names: readonly N[]): Omit<D, N> =>
  chosen(document, (name) => !names.some((one) => one === name)) as Omit<D, N>;

const chosen = <D extends object>(document: D, isWanted: (name: string) => boolean): Partial<D> =>
  Object.fromEntries(
    Object.entries(document).filter(([name, value]) => value !== undefined && isWanted(name)),
  ) as Partial<D>;
