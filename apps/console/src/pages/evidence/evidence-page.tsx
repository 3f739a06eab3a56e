import { useQuery } from '@tanstack/react-query';
import type { Answer } from '../../api/answer';
import { api, bodyOf } from '../../api/client';
import { useFormats, useTexts } from '../../language/language-context';
import { Code } from '../../parts/code';
import { Facts } from '../../parts/facts';
import { Page } from '../../parts/page';
import { QueryState } from '../../parts/query-state';
import { Section } from '../../parts/section';
import { Time } from '../../parts/time';
import { useTrust } from '../../proof/use-trust';
import { CheckpointText } from './checkpoint-text';
import { RangeAudit } from './range-audit';
import { evidenceTexts } from './texts';
import { Witnesses } from './witnesses';

/** What the public log says, with the commands by which anyone audits it. */
export default function EvidencePage() {
  const t = useTexts(evidenceTexts);
  const query = useQuery({
    queryKey: ['transparency'],
    queryFn: ({ signal }) => bodyOf(api.GET('/operator/v1/transparency', { signal })),
  });
  return (
    <Page title={t.title} isLoading={query.isPending}>
      <p className="console-paragraph">{t.intro}</p>
      <QueryState query={query}>{(log) => <Shown log={log} />}</QueryState>
    </Page>
  );
}

function Shown({ log }: { readonly log: Answer<'/operator/v1/transparency'> }) {
  const t = useTexts(evidenceTexts);
  const { count } = useFormats();
  const { trust } = useTrust();
  const { size, checkpoint, verifier_key: key, uncovered_since: uncovered, witnesses } = log;
  // A service that lies about the log would lie about its key.
  const believed = trust?.logKey || key;
  return (
    <>
      <Section title={t.log}>
        <Facts
          facts={[
            [t.size, count(size)],
            [t.uncovered, uncovered === null ? t.covered : <Time key="uncovered" at={uncovered} />],
            [t.key, <code key="key">{key}</code>],
          ]}
        />
      </Section>
      <CheckpointText checkpoint={checkpoint} verifierKey={believed} />
      <Witnesses witnesses={witnesses} />
      {checkpoint !== null && size > 0 && (
        <Section title={t.range}>
          <RangeAudit checkpoint={checkpoint} size={size} logKey={believed} />
        </Section>
      )}
      <Section title={t.audit}>
        <p className="console-paragraph">{t.auditHelp}</p>
        <Code label={t.audit}>
          {`dsr transparency audit --state last-checkpoint --log-only --url URL --key '${key}'`}
        </Code>
      </Section>
    </>
  );
}
