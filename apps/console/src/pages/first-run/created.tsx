import { CodeBlock, CodeBlockCode } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../language/language-context';
import { Id } from '../../parts/id';
import { StatusLabel } from '../../requests/labels';
import { requestPath } from '../../requests/request-path';
import { requestQuery } from '../../requests/request-query';
import type { CreatedRequest } from './create';
import { firstRunTexts } from './texts';

const WORKSPACE = 'sandbox';
const POLL_MS = 1_000;

const Shown = ({ title, content }: { readonly title: string; readonly content: object }) => (
  <details>
    <summary>{title}</summary>
    <CodeBlock>
      <CodeBlockCode>{JSON.stringify(content, null, 2)}</CodeBlockCode>
    </CodeBlock>
  </details>
);

/** A request that was created here, as it stands now. */
export function Created({ created }: { readonly created: CreatedRequest }) {
  const t = useTexts(firstRunTexts);
  const { data } = useQuery({
    ...requestQuery({ ws: WORKSPACE, srid: created.id }),
    refetchInterval: ({ state }) => (state.data?.story.ended_time ? false : POLL_MS),
  });
  return (
    <>
      <p>
        <Id id={created.id} path={requestPath(WORKSPACE, created.id)} />{' '}
        {data && <StatusLabel status={data.story.request_status} />}
      </p>
      <Shown title={t.sent} content={created.sent} />
      <Shown title={t.answered(String(created.status))} content={created.answer} />
    </>
  );
}
