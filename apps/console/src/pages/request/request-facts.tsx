import { Link } from 'react-router';
import { useTexts } from '../../language/language-context';
import { Facts } from '../../parts/facts';
import { Id } from '../../parts/id';
import { Section } from '../../parts/section';
import { Time } from '../../parts/time';
import { StatusLabel } from '../../requests/labels';
import { requestWords } from '../../requests/texts';
import { requestsTexts } from '../requests/texts';
import type { RequestStory } from '../../requests/request-query';
import { requestTexts } from './texts';

const listOf = (name: string, value: string): string => `/requests?${new URLSearchParams({ [name]: value })}`;

export function RequestFacts({ story }: { readonly story: RequestStory }) {
  const { facts, columns, keys, keyDue } = useTexts(requestTexts);
  const { columns: listColumns } = useTexts(requestsTexts);
  const words = useTexts(requestWords);
  return (
    <Section title={facts}>
      <Facts
        facts={[
          [columns.id, <Id id={story.subject_request_id} />],
          [listColumns.status, <StatusLabel status={story.request_status} />],
          [columns.workspace, <Link to={listOf('workspace', story.workspace)}>{story.workspace}</Link>],
          [columns.controller, <Link to={listOf('controller', story.controller_id)}>{story.controller_id}</Link>],
          [columns.regulation, story.regulation === null ? '–' : words.regulation[story.regulation]],
          [columns.version, story.api_version],
          [listColumns.received, <Time at={story.received_time} />],
          [columns.expected, <Time at={story.expected_completion_time} />],
          [columns.ended, <Time at={story.ended_time} />],
          [columns.group, story.group_size ?? '–'],
          [columns.key, keys[story.key]],
          [keyDue, <Time at={story.times.key_due} />],
        ]}
      />
    </Section>
  );
}
