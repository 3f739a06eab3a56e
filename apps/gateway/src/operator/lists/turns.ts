/** Lets only so many calls run at once; the others wait, in the order in which they came. Once one has failed, none begins. */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private failed: { readonly error: unknown } | undefined;

  constructor(private free: number) {}

  async take<T>(call: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => void this.waiting.push(resolve));
    try {
      if (this.failed) throw this.failed.error;
      return await call();
    } catch (error) {
      this.failed ??= { error };
      throw error;
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
