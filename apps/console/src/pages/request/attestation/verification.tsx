import { Button } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../../language/language-context';
import { rightNow } from '../../../parts/clock';
import { Notice } from '../../../parts/notice';
import { CheckList } from '../../../proof/check-list';
import type { Trust } from '../../../proof/trust';
import { TrustFields } from '../../../proof/trust-fields';
import { useTrust } from '../../../proof/use-trust';
import type { Which } from '../../../requests/request-query';
import { ofRequest } from './of-request';
import { attestationTexts } from './texts';
import { StatementFacts } from './statement-facts';

/** The cryptography is read when it is first asked for. */
async function verify({ bundle, which }: VerificationProps, { domains, authorities, logKey }: Trust) {
  const { verifyAttestation } = await import('../../../proof/verify-attestation');
  const verdict = await verifyAttestation(bundle, {
    ...{ allowedDomains: domains, authorities, now: rightNow() },
    ...(logKey !== '' && { logKey }),
  });
  return ofRequest(verdict, which);
}

interface VerificationProps {
  readonly bundle: Uint8Array;
  /** What the bundle must be about. */
  readonly which: Which;
}

export function Verification(props: VerificationProps) {
  const t = useTexts(attestationTexts);
  const controls = useTrust();
  const { trust } = controls;
  const run = useMutation({ mutationFn: (believed: Trust) => verify(props, believed) });
  const { data: verdict } = run;
  return (
    <>
      <TrustFields {...controls} />
      <Button
        className="console-no-print"
        onClick={() => trust && run.mutate(trust)}
        isDisabled={!trust?.authorities || run.isPending}
      >
        {run.isPending ? t.verifying : t.verify}
      </Button>
      {run.error !== null && <Notice isLiveRegion variant="danger" title={run.error.message} />}
      {verdict && (
        <>
          <Notice
            isLiveRegion
            variant={verdict.isValid ? 'success' : 'danger'}
            title={verdict.isValid ? t.valid : t.invalid}
          />
          <CheckList name={t.checks} checks={verdict.checks.map((one) => ({ ...one, label: t.names[one.check] }))} />
          {verdict.statement && <StatementFacts {...verdict.statement} loggedAt={verdict.loggedAt} />}
        </>
      )}
    </>
  );
}
