/** Counts tests as `npm test` does. */
export class Tests {
  private passed = 0;
  private readonly failures: { readonly name: string }[] = [];

  note(name: string, isWell: boolean): void {
    if (isWell) this.passed += 1;
    else this.failures.push({ name });
  }

  get tally() {
    return { passed: this.passed, failed: this.failures.length, failures: this.failures };
  }
}
