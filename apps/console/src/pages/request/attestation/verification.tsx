import { Alert, Button } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../../language/language-context';
import { rightNow } from '../../../parts/clock';
import { CheckList } from '../../../proof/check-list';
import type { Trust } from '../../../proof/trust';
import { TrustFields } from '../../../proof/trust-fields';
import { useTrust } from '../../../proof/use-trust';
import { attestationTexts } from './texts';
import { StatementFacts } from './statement-facts';

/** The cryptography is read when it is first asked for. */
async function verify(bundle: Uint8Array, { domains, authorities, logKey }: Trust) {
  const { verifyAttestation } = await import('../../../proof/verify-attestation');
  return verifyAttestation(bundle, {
    ...{ allowedDomains: domains, authorities, now: rightNow() },
    ...(logKey !== '' && { logKey }),
  });
}

export function Verification({ bundle }: { readonly bundle: Uint8Array }) {
  const t = useTexts(attestationTexts);
  const controls = useTrust();
  const { trust } = controls;
  const run = useMutation({ mutationFn: (believed: Trust) => verify(bundle, believed) });
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
      {run.error !== null && <Alert isInline isLiveRegion variant="danger" title={run.error.message} />}
      {verdict && (
        <>
          <Alert
            isInline
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
