/** Prints what the demo does and what it checked, and remembers whether anything was wrong. */
export class Checks {
  private steps = 0;
  private count = 0;
  private readonly failures: string[] = [];

  constructor(private readonly print: (line: string) => void) {}

  step(title: string): void {
    this.print(`\n${String(++this.steps)}. ${title}`);
  }

  note(text: string): void {
    this.print(`     ${text}`);
  }

  /** The faults, in words; none: the check passed. */
  check(what: string, faults: readonly string[] | boolean): void {
    this.count++;
    const wrong = typeof faults === 'boolean' ? (faults ? [] : ['it is not so']) : faults;
    this.print(wrong.length === 0 ? `   ✓ ${what}` : `   ✗ ${what}: ${wrong.join('; ')}`);
    if (wrong.length > 0) this.failures.push(what);
  }

  /** The numbers of checks so far, and the names of those that failed. */
  get result(): { readonly passed: number; readonly failed: readonly string[] } {
    return { passed: this.count - this.failures.length, failed: [...this.failures] };
  }

  /** The summary, as the exit code. */
  end(): number {
    this.print(
      this.failures.length === 0
        ? `\nAll ${String(this.count)} checks passed.`
        : `\n${String(this.failures.length)} of ${String(this.count)} checks failed.`,
    );
    return this.failures.length === 0 ? 0 : 1;
  }
}
