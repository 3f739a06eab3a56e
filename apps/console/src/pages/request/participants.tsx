import { ActionButton } from '../../actions/action-button';
import { useReasonDialog } from '../../actions/use-reason-dialog';
import { may } from '../../api/permission';
import { useTexts } from '../../language/language-context';
import { wordOf } from '../../language/texts';
import { PlainTable } from '../../lists/plain-table';
import { Section } from '../../parts/section';
import { useSession } from '../../session/session-context';
import { requestWords } from '../../requests/texts';
import type { ReadRequest, RequestStory } from '../../requests/request-query';
import { requestTexts } from './texts';
import { useDecisions } from './use-decisions';

type Participant = RequestStory['participants'][number];

/** Shares that the request still waits for: a participant that failed may report again. */
const AWAITED: readonly string[] = ['pending', 'failed'];

/** The systems of others that take part, and how far each is. */
export function Participants({ read }: { readonly read: ReadRequest }) {
  const t = useTexts(requestTexts);
  const words = useTexts(requestWords);
  const session = useSession();
  const { waive } = useDecisions(read);
  const { dialog, ask } = useReasonDialog();
  const { workspace, request_status: status, participants } = read.story;
  const mayWaive = status === 'in_progress' && may(session, 'decide', workspace);
  const action = ({ name, status: share }: Participant) =>
    mayWaive && AWAITED.includes(share) ? (
      <ActionButton
        action={{
          ...{ label: t.waive.do, title: t.waive.title(name), help: t.waive.help, isDangerous: true },
          onConfirm: (reason) => waive(name, reason),
        }}
        isInline
        ask={ask}
      />
    ) : null;
  return (
    <Section title={t.participants}>
      <PlainTable
        name={t.participants}
        empty={t.noParticipants}
        rows={participants}
        keyOf={({ name }) => name}
        columns={[
          { title: t.participant, text: ({ name }) => name },
          { title: t.share, text: ({ status: share }) => wordOf(words.share, share) },
          ...(mayWaive ? [{ title: t.waive.do, text: () => '', cell: action, isAction: true as const }] : []),
        ]}
      />
      {dialog}
    </Section>
  );
}
