import { createSecretKey, type KeyObject } from 'node:crypto';
import type { GenerationSecrets } from '@opendsr-service/vault';
import type { Chance } from '../engine/chance';
import type { Owner } from '../engine/owner';
import type { Fate, Gate } from '../engine/step';
import type { VirtualTime } from '../engine/virtual-time';

/** What a process waits for the service at most. */
const PATIENCE_MS = 10_000;
const SECRET_BYTES = 32;

interface GenerationServiceParts {
  readonly gate: Gate;
  readonly chance: Chance;
  readonly time: VirtualTime;
}

/** A key service in memory: it keeps the secrets of generations for all processes of a world. */
export class GenerationService {
  /** When the secret of each was destroyed first. */
  readonly destroyedAt = new Map<number, Date>();
  private readonly secrets = new Map<number, KeyObject>();

  constructor(private readonly parts: GenerationServiceParts) {}

  /** The way of one process to it: each call is a step. Without an owner, that of the simulation itself. */
  secretsOf(owner?: Owner): GenerationSecrets {
    return {
      create: (generation) =>
        this.ask(owner, `makes generation ${generation}`, () => {
          // Nobody makes a destroyed one again: its name is used up.
          if (this.secrets.has(generation) || this.destroyedAt.has(generation)) return;
          this.secrets.set(generation, createSecretKey(this.parts.chance.bytes(SECRET_BYTES)));
        }),
      read: (generation) => this.ask(owner, `reads generation ${generation}`, () => this.secrets.get(generation)),
      destroy: (generation) =>
        this.ask(owner, `destroys generation ${generation}`, () => {
          this.secrets.delete(generation);
          if (!this.destroyedAt.has(generation)) this.destroyedAt.set(generation, this.parts.time.now());
        }),
    };
  }

  private ask<T>(owner: Owner | undefined, what: string, run: () => T): Promise<T> {
    if (!owner) return Promise.resolve(run());
    return this.parts.gate.enter(owner, {
      what: `key service ${what}`,
      mayBe: ['refused', 'lost'],
      patienceMs: PATIENCE_MS,
      run: (fate) => answered(fate, run),
    });
  }
}

function answered<T>(fate: Fate, run: () => T): T {
  if (fate === 'refused') throw new Error('the simulated key service does not answer');
  const done = run();
  if (fate === 'lost') throw new Error('the simulated key service does not answer');
  return done;
}
