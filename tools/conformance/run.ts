import { VERSIONS, type ApiVersion } from '@opendsr-service/contracts';
import { Caller } from './caller';
import { CATALOGUE } from './catalogue';
import { Failure, NotApplicable, Undecided } from './checks';
import { NEEDS, type Need, type Rule, type Source } from './rule';
import { Session } from './session';
import { defaultOptions, type ConformanceOptions, type Target } from './target';

export type Outcome = 'passed' | 'failed' | 'n/a';

/** The result of one rule in one version. */
export interface Row {
  readonly id: string;
  readonly section: string;
  readonly source: Source;
  readonly title: string;
  readonly version: ApiVersion;
  readonly outcome: Outcome;
  /** Why it failed or is not applicable; never an identity or a credential. */
  readonly detail?: string;
  /** Not applicable because of the time only. */
  readonly undecided?: true;
}

export interface Report {
  /** In the order of the catalogue, for each version that has a base URL. */
  readonly rows: readonly Row[];
  readonly calls: number;
  /** Made-up requests that could not be cancelled again. */
  readonly left: number;
}

/** Rules that are proved at the same time, beside those that mostly wait. */
const AT_ONCE = 16;
/** So often at most a rule is tried that fails while calls have to wait. */
const MOST_TRIES = 3;

/**
 * Proves every rule that the options ask for against a processor, from outside (docs/conformance.md). Never throws
 * for what the processor does.
 */
export async function runConformance(target: Target, given: Partial<ConformanceOptions> = {}): Promise<Report> {
  const options = { ...defaultOptions, ...given };
  const caller = new Caller({ authorityPem: target.authorityPem, callsPerMinute: options.callsPerMinute });
  const sessions = VERSIONS.filter(({ apiVersion }) => target.baseUrls[apiVersion] !== undefined).map(
    (version) => new Session(version, target, options, caller),
  );
  const proofs = sessions.flatMap((session) => rulesFor(session).map((rule) => new Proof(rule, session)));
  try {
    const [waiting, last, others] = [ordered(proofs, 'waits'), ordered(proofs, 'last'), ordered(proofs, undefined)];
    await Promise.all([
      ...waiting.map((proof) => proof.find()),
      ...Array.from({ length: AT_ONCE }, () => findEach(others)),
    ]);
    for (const proof of last) await proof.find();
    const left = options.keep ? [] : await Promise.all(sessions.map((session) => session.cleanUp()));
    return { rows: proofs.map(({ row }) => row), calls: caller.count, left: left.reduce((sum, one) => sum + one, 0) };
  } finally {
    caller.close();
  }
}

const ordered = (proofs: readonly Proof[], order: Rule['order']): Proof[] =>
  proofs.filter(({ rule }) => rule.order === order);

async function findEach(proofs: Proof[]): Promise<void> {
  for (let proof = proofs.shift(); proof; proof = proofs.shift()) await proof.find();
}

/** Those that a run is about: of the version, asked for by name and by source. */
function rulesFor({ version, options }: Session): Rule[] {
  const isNamed = ({ id }: Rule) =>
    options.only.length === 0 || options.only.some((name) => id === name || id.startsWith(`${name}.`));
  const isOfVersion = ({ versions }: Rule) => versions?.includes(version.apiVersion) ?? true;
  return CATALOGUE.filter(
    (rule) => isNamed(rule) && isOfVersion(rule) && (options.notes || rule.source === 'interface'),
  );
}

/** A rule in a version with its result. */
class Proof {
  row: Row;
  private readonly named: Omit<Row, 'outcome'>;

  constructor(
    readonly rule: Rule,
    private readonly session: Session,
  ) {
    this.named = {
      id: rule.id,
      section: rule.section,
      source: rule.source,
      title: rule.title,
      version: session.version.apiVersion,
    };
    this.row = { ...this.named, outcome: 'passed' };
  }

  async find(): Promise<void> {
    const missing = (this.rule.needs ?? []).find((need) => !isMet(need, this.session));
    if (missing !== undefined) return this.end('n/a', `needs ${NEEDS[missing]}`);
    // Where calls have to wait, a request that was to be pending may have started meanwhile: that is no fault of the processor's.
    for (let seen = 0, tries = 1; ; tries += 1) {
      await this.prove();
      if (this.row.outcome !== 'failed' || this.session.waits === seen || tries === MOST_TRIES) return;
      seen = this.session.waits;
      this.session.forget();
    }
  }

  private async prove(): Promise<void> {
    try {
      await this.rule.run(this.session);
      this.end('passed');
    } catch (error) {
      if (error instanceof NotApplicable) this.end('n/a', error.message, error instanceof Undecided);
      else this.end('failed', error instanceof Failure ? error.message : `expected an answer, got ${problemOf(error)}`);
    }
  }

  private end(outcome: Outcome, detail?: string, isUndecided = false): void {
    this.row = {
      ...this.named,
      outcome,
      ...(detail !== undefined && { detail }),
      ...(isUndecided && { undecided: true }),
    };
  }
}

/** A connection's error by its code, since its message may hold an address with a path. */
const problemOf = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
};

function isMet(need: Need, { target, options }: Session): boolean {
  const met: Readonly<Record<Need, boolean>> = {
    receiver: target.receiver !== undefined,
    other: target.other !== undefined,
    authority: target.authorityPem !== undefined,
    domains: target.domains.length > 0,
    known: target.known !== undefined,
    bothVersions: VERSIONS.every(({ apiVersion }) => target.baseUrls[apiVersion] !== undefined),
    slow: options.slow,
    oldLink: target.oldResultsUrl !== undefined,
  };
  return met[need];
}
