import { useFormats, useTexts } from '../../language/language-context';
import { TableSection } from '../../lists/table-section';
import { Facts } from '../../parts/facts';
import { Section } from '../../parts/section';
import { Time } from '../../parts/time';
import { workspaceTexts } from './texts';
import type { WorkspaceDetail } from './workspace';

/** How a workspace is set up; `dsr workspaces` changes it. */
export function WorkspaceFacts({ workspace }: { readonly workspace: WorkspaceDetail }) {
  const t = useTexts(workspaceTexts);
  const { count } = useFormats();
  const { legal, limits } = workspace;
  const days = (own: number | null): string => (own === null ? t.asLaw : t.days(count(own)));
  return (
    <>
      <Facts
        facts={[
          [t.columns.name, workspace.name],
          [t.columns.controller, workspace.controller_id],
          [t.columns.class, workspace.class],
          [t.columns.created, <Time key="created" at={workspace.created_time} />],
          [t.afterErasure, t.afterErasures[workspace.after_erasure]],
          [t.deviceMatching, t.deviceMatchings[workspace.device_matching]],
        ]}
      />
      <Section title={t.legal}>
        <Facts
          facts={[
            [t.timeZone, legal.time_zone],
            [t.holidays, legal.holidays.length === 0 ? t.none : legal.holidays.join(', ')],
            [t.gdprDays, days(legal.gdpr_days)],
            [t.ccpaDays, days(legal.ccpa_days)],
            [t.clockStart, t.clockStarts[legal.clock_start]],
          ]}
        />
      </Section>
      <TableSection
        title={t.limits}
        columns={[
          { title: t.limit.name, text: (row) => row.name },
          {
            title: t.limit.value,
            text: ({ limit }) => (limit === null ? t.limit.unlimited : count(limit)),
          },
        ]}
        rows={limits}
        keyOf={({ name }) => name}
      />
    </>
  );
}
