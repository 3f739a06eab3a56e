import type { ApiVersion } from '@opendsr-service/contracts';
import type { Session } from './session';

/** Who says so: the interface, or a section of docs/protocol.md that closes what the interface leaves open. */
export type Source = 'interface' | 'notes';

/** What a rule cannot be proved without; the words are those of the reason that a row without it gives. */
export const NEEDS = {
  receiver: '--receiver-listen and --receiver-url',
  other: 'the credentials of a second workspace',
  authority: '--ca',
  domains: '--domains',
  known: '--known',
  bothVersions: 'both versions',
  slow: '--slow',
  oldLink: '--old-results-url',
} as const;
export type Need = keyof typeof NEEDS;

/** One rule of the specification, proved or refuted from outside. Each makes its own requests, so that all can run side by side. */
export interface Rule {
  /** Stable, dotted, the topic first: what `--only` names. */
  readonly id: string;
  /** The section of docs/protocol.md that says so. */
  readonly section: string;
  readonly source: Source;
  readonly title: string;
  /** Those that the rule is about; without it, both. */
  readonly versions?: readonly ApiVersion[];
  readonly needs?: readonly Need[];
  /**
   * `waits`: it mostly waits for the processor, so it starts first and blocks no other. `last`: it checks the results
   * of the others.
   */
  readonly order?: 'waits' | 'last';
  /** Returns where the rule holds; throws a Failure where not, a NotApplicable where that cannot be found out. */
  run(session: Session): Promise<void>;
}

type Written = Omit<Rule, 'section' | 'source'>;
const under =
  (source: Source) =>
  (section: string, rules: readonly Written[]): readonly Rule[] =>
    rules.map((rule) => ({ ...rule, section, source }));

/** Rules under a heading of the interface. */
export const inInterface = under('interface');
/** Rules of a section about an open question; only `--notes` checks them. */
export const inNotes = under('notes');
