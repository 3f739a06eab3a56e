import { useTexts } from '../../language/language-context';
import { Facts } from '../../parts/facts';
import { requestWords } from '../../requests/texts';
import type { RequestStory } from './queries';
import { requestTexts } from './texts';

export function RequestFacts({ story }: { readonly story: RequestStory }) {
  const { columns, keys } = useTexts(requestTexts);
  const words = useTexts(requestWords);
  return (
    <Facts
      facts={[
        [columns.id, story.subject_request_id],
        [columns.workspace, story.workspace],
        [columns.controller, story.controller_id],
        [columns.regulation, story.regulation === null ? '–' : words.regulation[story.regulation]],
        [columns.version, story.api_version],
        [columns.group, story.group_size ?? '–'],
        [columns.key, keys[story.key]],
      ]}
    />
  );
}
