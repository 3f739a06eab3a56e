import { readCheckpoint, readNote } from '@opendsr-service/transparency';
import type { Shape } from '@opendsr-service/contracts';
import { timeOf } from '@opendsr-service/operator-answers';
import type { WitnessFacts } from '../../evidence/witness-facts.store';
import type { OPERATOR_TRANSPARENCY } from './transparency-schemas';

interface OperatorTransparencyParts {
  /** The newest checkpoint, with its cosignatures. */
  readonly checkpoint: () => Promise<string | undefined>;
  /** Since when the oldest leaf waits that no checkpoint covers. */
  readonly oldestUncovered: () => Promise<Date | undefined>;
  readonly witnesses: () => Promise<readonly WitnessFacts[]>;
  readonly verifierKey: string;
}

/** How the transparency log is. */
export class OperatorTransparency {
  constructor(private readonly parts: OperatorTransparencyParts) {}

  async read(): Promise<Shape<typeof OPERATOR_TRANSPARENCY>> {
    const { parts } = this;
    const [checkpoint, uncovered, witnesses] = await Promise.all([
      parts.checkpoint(),
      parts.oldestUncovered(),
      parts.witnesses(),
    ]);
    return {
      size: readCheckpoint(readNote(checkpoint ?? '')?.text ?? '')?.size ?? 0,
      checkpoint: checkpoint ?? null,
      verifier_key: parts.verifierKey,
      uncovered_since: timeOf(uncovered),
      witnesses: witnesses.map(({ name, hasCosigned, since, reason }) => ({
        ...{ name, has_cosigned: hasCosigned, since: timeOf(since), reason: reason ?? null },
      })),
    };
  }
}
