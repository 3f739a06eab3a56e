/** What embedded stores show in each run, and on servers only the full form of the int suite. */
export function describeInFull(name: string, define: () => void): void {
  (process.env.DSR_INT === 'full' ? describe : describe.skip)(name, define);
}
