import { Card, CardBody, CardTitle, CodeBlock, CodeBlockCode } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../language/language-context';
import { rightNow } from '../../parts/clock';
import { StateLabel } from '../../parts/state-label';
import { Time } from '../../parts/time';
import { parsedJson } from '../../proof/bytes';
import { CheckList } from '../../proof/check-list';
import { useTrust } from '../../proof/use-trust';
import { requestWords } from '../../requests/texts';
import { certificateQuery, type ArrivedCallback } from './sandbox';
import { firstRunTexts } from './texts';

interface CallbackBody {
  readonly request_status?: keyof (typeof requestWords)['en']['status'];
  readonly subject_request_id?: string;
}

interface ArrivedProps {
  readonly callback: ArrivedCallback;
  readonly callbackUrl: string;
}

/** A callback with what it says, whether the service signed it, and by which checks. */
export function Arrived({ callback, callbackUrl }: ArrivedProps) {
  const t = useTexts(firstRunTexts);
  const words = useTexts(requestWords);
  const { trust } = useTrust();
  const { data: certificatePem } = useQuery(certificateQuery);
  const { data: verdict } = useQuery({
    queryKey: ['verified', callback.number],
    enabled: trust !== undefined && certificatePem !== undefined,
    staleTime: Infinity,
    queryFn: async () => {
      const { verifyCallback } = await import('../../proof/verify-callback');
      const { domains = [], authorities = '' } = trust ?? {};
      const expected = { domains, authorities, certificatePem: certificatePem ?? '', callbackUrl, now: rightNow() };
      return verifyCallback(callback, expected);
    },
  });
  const body = (parsedJson(callback.body) ?? {}) as CallbackBody;
  const status = body.request_status === undefined ? '–' : words.status[body.request_status];
  return (
    <Card isCompact>
      <CardTitle component="h3">
        {t.callback(status)} <Time at={callback.time} />{' '}
        {verdict && (
          <StateLabel status={verdict.isValid ? 'success' : 'danger'}>
            {verdict.isValid ? t.valid : t.invalid}
          </StateLabel>
        )}
      </CardTitle>
      <CardBody>
        {verdict && (
          <CheckList name={t.checks} checks={verdict.checks.map((one) => ({ ...one, label: t.names[one.check] }))} />
        )}
        <details>
          <summary>{t.shown}</summary>
          <CodeBlock>
            <CodeBlockCode>{JSON.stringify({ headers: callback.headers, body }, null, 2)}</CodeBlockCode>
          </CodeBlock>
        </details>
      </CardBody>
    </Card>
  );
}
