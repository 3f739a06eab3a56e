import type { Logger } from '../logger/logger';

export interface Step {
  readonly name: string;
  readonly run: () => Promise<unknown> | void;
}

/** Runs every step in order, also after a failure; returns whether all succeeded. */
export async function runAllSteps(steps: readonly Step[], log: Logger): Promise<boolean> {
  let allWell = true;
  for (const step of steps) {
    try {
      await step.run();
    } catch (error) {
      allWell = false;
      log.error({ step: step.name, error }, 'A step of stopping failed');
    }
  }
  return allWell;
}
