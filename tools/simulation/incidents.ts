import { TOPICS } from '@opendsr-service/contracts';
import type { Chance } from './engine/chance';
import type { Weather } from './engine/scheduler';
import type { Replica } from './services/replica';
import type { Broker } from './stores/broker';
import type { Reader } from './stores/simulated-log';

/** How rough a world is, from nearly calm to very. */
export function roughWeather(chance: Chance): Weather {
  const at = (most: number): number => most * chance.fraction() ** 2;
  return {
    refused: at(0.04),
    lost: at(0.05),
    late: at(0.1),
    torn: at(0.3),
    crash: at(0.006),
    timePasses: 0.002 + at(0.05),
    incident: at(0.03),
    loss: at(0.2),
    repeat: at(0.2),
    stall: 0,
  };
}

/** The same where now and then an operation of a store stalls. */
export const stallingWeather = (chance: Chance): Weather => ({ ...roughWeather(chance), stall: 0.02 });

interface IncidentsParts {
  readonly broker: Broker<Reader>;
  readonly replicas: readonly Replica[];
  readonly chance: Chance;
  readonly wait: (ms: number) => Promise<void>;
  readonly diary: (line: string) => void;
}

const LONGEST_OUTAGE_MS = 15_000;

/** How much likelier the first of several commands of one request is lost: then the log holds a gap. */
const GAP = 4;

/**
 * What a broker does to what it writes. Commands alone may be lost once they are acknowledged: their outbox waits for
 * an event (decision 1). Any
 * batch may come again later, as one that was sent twice.
 */
export function makeUnreliable(broker: Broker<Reader>, chance: Chance, weather: () => Weather): void {
  broker.isLost = ({ topic, records }, record) =>
    topic === TOPICS.commands.name && chance.happens(weather().loss * (record === records.at(-1) ? 1 : GAP));
  broker.repeats = () => (chance.happens(weather().repeat) ? chance.fraction() : undefined);
}

/** What happens to a world beside the steps of its processes. */
export class Incidents {
  constructor(private readonly parts: IncidentsParts) {}

  happen(): void {
    const { broker, chance, diary, replicas } = this.parts;
    const choice = chance.fraction();
    switch (chance.pick(['late', 'late', 'repeat', 'repeat', 'move', 'move', 'crash', 'outage'] as const)) {
      case 'late':
        return broker.arrive(choice);
      case 'repeat':
        return broker.repeat(choice);
      case 'move': {
        const seat = broker.move(choice);
        return seat && diary(`the log gives ${seat.topic}/${seat.partition} of ${seat.group} to another member`);
      }
      case 'crash':
        return chance.happens(0.3) ? chance.pick(replicas).crash() : undefined;
      case 'outage':
        return chance.happens(0.1) ? this.outage() : undefined;
    }
  }

  /** Everything that was on its way arrives. */
  end(): void {
    const { broker, chance } = this.parts;
    broker.isAvailable = true;
    while (broker.lateBatches > 0) broker.arrive(chance.fraction());
  }

  private outage(): void {
    const { broker, chance, wait, diary } = this.parts;
    diary('the log is away');
    broker.isAvailable = false;
    void wait(chance.below(LONGEST_OUTAGE_MS)).then(() => (broker.isAvailable = true));
  }
}
