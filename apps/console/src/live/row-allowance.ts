/** How many rows are read again: many at once, but of a list that always changes only a few a tick, so that calls are left to the viewer. */
export class RowAllowance {
  private left: number;

  constructor(
    private readonly most: number,
    private readonly perTick: number,
  ) {
    this.left = most;
  }

  tick(): void {
    this.left = Math.min(this.left + this.perTick, this.most);
  }

  /** How many of so many may be read now. */
  take(wanted: number): number {
    const taken = Math.min(wanted, this.left);
    this.left -= taken;
    return taken;
  }
}
