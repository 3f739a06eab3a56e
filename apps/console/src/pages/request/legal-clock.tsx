import { Progress } from '@patternfly/react-core';
import type { ReactNode } from 'react';
import { useFormats, useTexts } from '../../language/language-context';
import { useNow } from '../../parts/clock';
import { Facts } from '../../parts/facts';
import { Section } from '../../parts/section';
import { Time } from '../../parts/time';
import { LegalLabel } from '../../requests/labels';
import { clockTexts } from './legal-clock-texts';
import { passedPercent } from './passed-share';
import type { RequestStory } from '../../requests/request-query';

const VARIANTS = {
  on_track: undefined,
  at_risk: 'warning',
  overdue: 'danger',
  kept: undefined,
  missed: 'danger',
} as const;

/** By when the law wants an answer, and how much of that time has passed. */
export function LegalClock({ story }: { readonly story: RequestStory }) {
  const t = useTexts(clockTexts);
  const { distance } = useFormats();
  const now = useNow();
  const { legal_due_time: due, legal_state: state, times, ended_time: ended } = story;
  if (due === null) return <Section title={t.title}>{t.none}</Section>;
  const percent = passedPercent(times.legal_since ?? story.received_time, due, ended === null ? now : new Date(ended));
  const extension: readonly (readonly [string, ReactNode])[] = story.extended
    ? [
        [t.first, <Time at={times.first_legal_due} />],
        [
          t.extended,
          <>
            <Time at={times.extended} /> {story.extended_by !== null && t.by(story.extended_by)}
          </>,
        ],
      ]
    : [];
  return (
    <Section title={t.title}>
      <Progress
        value={percent}
        title={t.passed(String(percent))}
        measureLocation="none"
        {...(state !== null && VARIANTS[state] !== undefined && { variant: VARIANTS[state] })}
      />
      <Facts
        facts={[
          [t.state, <LegalLabel state={state} />],
          [
            t.due,
            <>
              <Time at={due} /> {ended === null && `(${distance(due, now)})`}
            </>,
          ],
          ...extension,
          [t.since, <Time at={times.legal_since} />],
          [t.atRisk, <Time at={times.at_risk} />],
        ]}
      />
    </Section>
  );
}
