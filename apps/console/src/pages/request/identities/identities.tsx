import { Button } from '@patternfly/react-core';
import { useState } from 'react';
import { ActionButton } from '../../../actions/action-button';
import { useReasonDialog } from '../../../actions/use-reason-dialog';
import { may } from '../../../api/permission';
import { useTexts } from '../../../language/language-context';
import { Notice } from '../../../parts/notice';
import { Section } from '../../../parts/section';
import { Time } from '../../../parts/time';
import { useSession } from '../../../session/session-context';
import type { RequestStory } from '../../../requests/request-query';
import { isWish, reveal, type Revealed, type Wish } from './reveal';
import { RevealedFacts } from './revealed-facts';
import { identitiesTexts } from './texts';

/** Masked, until somebody who may asks for them with a reason. They live in this part of the page alone. */
export function Identities({ story }: { readonly story: RequestStory }) {
  const t = useTexts(identitiesTexts);
  const session = useSession();
  const { dialog, ask } = useReasonDialog();
  const [answer, setAnswer] = useState<Revealed | Wish>();
  const { workspace: ws, subject_request_id: srid, key } = story;
  const show = async (reason: string): Promise<void> => setAnswer(await reveal(ws, srid, reason));
  if (answer && !isWish(answer))
    return (
      <Section title={t.title}>
        <div className="console-no-print">
          <Notice isLiveRegion variant="warning" title={t.shown} />
          <RevealedFacts revealed={answer} />
          <Button variant="secondary" onClick={() => setAnswer(undefined)}>
            {t.hide}
          </Button>
        </div>
      </Section>
    );
  const isAllowed = may(session, 'reveal', ws);
  return (
    <Section title={t.title}>
      <p>{key === 'alive' ? t.masked : t.gone}</p>
      {key === 'alive' && !isAllowed && <p>{t.notAllowed}</p>}
      {answer && (
        <Notice isLiveRegion variant="info" title={t.waits}>
          <Time at={answer.ends_time} />
        </Notice>
      )}
      {key === 'alive' && isAllowed && (
        <ActionButton action={{ label: t.reveal, help: t.help, onConfirm: show }} ask={ask} />
      )}
      {dialog}
    </Section>
  );
}
