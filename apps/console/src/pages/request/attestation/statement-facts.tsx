import type { AttestationStatement } from '@opendsr-service/contracts';
import { useTexts } from '../../../language/language-context';
import { Facts } from '../../../parts/facts';
import { Time } from '../../../parts/time';
import { requestWords } from '../../../requests/texts';
import { attestationTexts } from './texts';

type StatementFactsProps = Pick<AttestationStatement, 'attestation'> & { readonly loggedAt: string | undefined };

/** What a valid attestation says, in short; the file has everything. */
export function StatementFacts({ attestation, loggedAt }: StatementFactsProps) {
  const t = useTexts(attestationTexts);
  const words = useTexts(requestWords);
  const { legalDateKept: isKept } = attestation;
  return (
    <>
      <h3>{t.says}</h3>
      <Facts
        facts={[
          [t.statement, String(attestation.statement)],
          [t.outcome, words.status[attestation.outcome]],
          [t.kept, isKept === undefined ? '–' : isKept ? t.yes : t.no],
          [t.logged, <Time at={loggedAt} />],
        ]}
      />
    </>
  );
}
