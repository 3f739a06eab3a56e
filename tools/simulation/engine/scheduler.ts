import type { Chance } from './chance';
import { asOwner, type Owner } from './owner';
import type { Fate, Gate, Step, Work } from './step';
import { allAtRest } from './takeover';
import type { VirtualTime } from './virtual-time';

/** How rough a world is: probabilities for each step. */
export interface Weather {
  readonly refused: number;
  readonly lost: number;
  readonly late: number;
  /** That a bulk write is done in part. */
  readonly torn: number;
  readonly crash: number;
  /** That time passes although something could be done. */
  readonly timePasses: number;
  /** That something else happens to the world, such as a process that dies. */
  readonly incident: number;
  /** That a command which the log has acknowledged is not there. */
  readonly loss: number;
  /** That something older comes once more, right behind what is written. */
  readonly repeat: number;
  /** That an operation of a store takes long, perhaps longer than a lease. */
  readonly stall: number;
}

export const CALM: Weather = {
  refused: 0,
  lost: 0,
  late: 0,
  torn: 0,
  crash: 0,
  timePasses: 0.002,
  incident: 0,
  loss: 0,
  repeat: 0,
  stall: 0,
};

/** A process that can be killed. */
export interface Mortal extends Owner {
  crash(): void;
}

const FAVOUR_STEPS = 60;
const FAVOUR = 0.5;
const LONGEST_JUMP_MS = 5_000;

/**
 * Decides what happens next: of all steps that wait one is done, fails, loses its answer, or its process dies before or after it; or
 * time passes. Everything follows from the seed.
 */
export class Scheduler implements Gate {
  weather: Weather = CALM;
  /** How many steps were done. */
  steps = 0;
  /** How many bulk writes were done in part. */
  torn = 0;
  /** What else may happen to the world. */
  incident: () => void = () => undefined;
  private waiting: Step[] = [];
  private favourite: Owner | undefined;

  constructor(
    private readonly time: VirtualTime,
    private readonly chance: Chance,
    /** Hears of each step. */
    private readonly diary: (line: string) => void,
  ) {}

  enter<T>(owner: Owner, work: Work<T>): Promise<T> {
    if (!owner.isAlive) return new Promise(() => undefined);
    return new Promise<T>((resolve, reject) => {
      const dueMs = work.patienceMs === undefined ? Infinity : this.time.ms + work.patienceMs;
      this.waiting.push({ owner, work, dueMs, resolve: (value) => resolve(value as T), reject });
    });
  }

  /** Goes on until `isOver`, or until that time. */
  async run(isOver: () => boolean, untilMs: number): Promise<void> {
    await allAtRest();
    while (!isOver() && this.time.ms < untilMs) {
      await this.next(untilMs);
      await allAtRest();
    }
  }

  private async next(untilMs: number): Promise<void> {
    this.waiting = this.waiting.filter(({ owner }) => owner.isAlive);
    const ready = this.waiting.filter(({ work }) => work.isReady?.() ?? true);
    if (this.chance.happens(this.weather.incident)) this.incident();
    if (ready.length === 0 || this.chance.happens(this.weather.timePasses)) this.passTime(ready, untilMs);
    else await this.take(this.choose(ready));
  }

  /** To the next timer where nothing else can be done, else by chance; never beyond the time limit of what could be done. */
  private passTime(ready: readonly Step[], untilMs: number): void {
    const next = this.time.nextAtMs ?? untilMs;
    const wanted = ready.length === 0 ? next : this.time.ms + this.chance.below(LONGEST_JUMP_MS);
    this.time.moveTo(Math.min(wanted, untilMs, ...ready.map(({ dueMs }) => dueMs)));
  }

  /** Any of them; for a while those of one process are preferred, so that others fall behind it. */
  private choose(ready: readonly Step[]): Step {
    const late = ready.filter(({ dueMs }) => dueMs <= this.time.ms);
    if (late.length > 0) return this.chance.pick(late);
    if (this.steps % FAVOUR_STEPS === 0)
      this.favourite = this.chance.happens(FAVOUR) ? this.chance.pick(ready).owner : undefined;
    const favoured = ready.filter(({ owner }) => owner === this.favourite);
    return this.chance.pick(favoured.length > 0 && this.chance.happens(0.9) ? favoured : ready);
  }

  private async take(step: Step): Promise<void> {
    this.waiting = this.waiting.filter((other) => other !== step);
    this.steps += 1;
    const { owner, work } = step;
    if (isMortal(owner) && this.chance.happens(this.weather.crash)) {
      const isAfter = this.chance.happens(0.5);
      this.diary(`${owner.name}: ${work.what}, and dies ${isAfter ? 'after' : 'before'} it`);
      if (isAfter)
        await asOwner(owner, () => settle({ ...step, resolve: () => undefined, reject: () => undefined }, 'done'));
      owner.crash();
      return;
    }
    const fate = this.fateOf(work);
    if (fate === 'torn') this.torn += 1;
    this.diary(`${owner.name}: ${work.what}${fate === 'done' ? '' : ` (${fate})`}`);
    await asOwner(owner, () => settle(step, fate));
  }

  private fateOf(work: Work<unknown>): Fate {
    const dice = this.chance.fraction();
    let sum = 0;
    for (const fate of work.mayBe) {
      sum += this.weather[fate];
      if (dice < sum) return fate;
    }
    return 'done';
  }
}

async function settle({ work, resolve, reject }: Step, fate: Fate): Promise<void> {
  try {
    resolve(await work.run(fate));
  } catch (error) {
    reject(error);
  }
}

const isMortal = (owner: Owner): owner is Mortal => 'crash' in owner;
