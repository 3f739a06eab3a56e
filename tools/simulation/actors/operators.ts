import { DEFAULT_LEGAL_CALENDAR } from '@opendsr-service/contracts';
import type { Chance } from '../engine/chance';
import type { Extension, History } from '../history';
import { LONGEST_WAIT_MS } from '../services/waits';
import type { LifePlan } from './plan';

/** What operators need of their world. */
interface Outside {
  readonly history: History;
  readonly chance: Chance;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => Date;
  /** Runs one command. Undefined: it failed, or its process died; whether it took effect is unknown. */
  readonly extend: (wish: ExtensionWish) => Promise<Extension['answer']>;
}

export interface ExtensionWish {
  readonly ws: string;
  readonly srid: string;
  readonly reason: string;
  readonly by: string;
  readonly at: Date;
  readonly calendar: typeof DEFAULT_LEGAL_CALENDAR;
}

const EXTENDED = 0.3;
const MOST_TRIES = 3;

/** Operators who extend the legal dates of some requests, and sometimes both at once. */
export class Operators {
  constructor(private readonly outside: Outside) {}

  async attend({ srid, tenant: { ws }, beginsAfterMs, isCrowd }: LifePlan): Promise<void> {
    const { chance, wait } = this.outside;
    if (isCrowd || !chance.happens(EXTENDED)) return;
    await wait(beginsAfterMs);
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      await wait(chance.below(LONGEST_WAIT_MS));
      if (chance.happens(0.4)) void this.extend(ws, srid);
      await this.extend(ws, srid);
    }
  }

  private async extend(ws: string, srid: string): Promise<void> {
    const { history, now, extend } = this.outside;
    const noted = history.asksForExtension(srid);
    const wish = { ws, srid, reason: 'made up', by: 'privacy-office', at: now(), calendar: DEFAULT_LEGAL_CALENDAR };
    noted.answer = await extend(wish);
  }
}
