import { DEFAULT_LEGAL_CALENDAR } from '@opendsr-service/contracts';
import type { Chance } from '../engine/chance';
import type { Waiver } from '@opendsr-service/workspaces';
import type { CommandAnswer, History } from '../history';
import { LONGEST_WAIT_MS } from '../services/waits';
import type { LifePlan } from './plan';

/** What operators need of their world. */
interface Outside {
  readonly history: History;
  readonly chance: Chance;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => Date;
  /** These run one command. Undefined: it failed, or its process died; whether it took effect is unknown. */
  readonly extend: (wish: ExtensionWish) => Promise<CommandAnswer>;
  readonly waive: (waiver: Waiver) => Promise<CommandAnswer>;
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
const WAIVERS = ['privacy-office', 'platform-team'] as const;

/** Operators who extend the legal dates of some requests and waive participants, and sometimes two at once. */
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

  /** Until a command ends well: a participant that never reports is waived in the end, however many processes die. */
  async waiveParticipant(share: Pick<Waiver, 'ws' | 'srid' | 'participant'>): Promise<void> {
    const { chance, wait } = this.outside;
    let answer: CommandAnswer;
    do {
      await wait(chance.below(LONGEST_WAIT_MS));
      if (chance.happens(0.4)) void this.waive(share);
      answer = await this.waive(share);
    } while (answer !== 'done');
    if (chance.happens(0.4)) await this.waive(share);
  }

  private waive(share: Pick<Waiver, 'ws' | 'srid' | 'participant'>): Promise<CommandAnswer> {
    const { history, chance, now, waive } = this.outside;
    const { srid, participant } = share;
    const by = chance.pick(WAIVERS);
    history.waivers.push({ srid, participant, by });
    return waive({ ...share, by, at: now() });
  }

  private async extend(ws: string, srid: string): Promise<void> {
    const { history, now, extend } = this.outside;
    const noted = history.asksForExtension(srid);
    const wish = { ws, srid, reason: 'made up', by: 'privacy-office', at: now(), calendar: DEFAULT_LEGAL_CALENDAR };
    noted.answer = await extend(wish);
  }
}
