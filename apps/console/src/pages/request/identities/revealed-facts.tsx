import { useTexts } from '../../../language/language-context';
import { PlainTable } from '../../../lists/plain-table';
import { Facts } from '../../../parts/facts';
import { Id } from '../../../parts/id';
import { Time } from '../../../parts/time';
import type { Revealed } from './reveal';
import { identitiesTexts } from './texts';

export function RevealedFacts({ revealed }: { readonly revealed: Revealed }) {
  const t = useTexts(identitiesTexts);
  return (
    <>
      <PlainTable
        name={t.title}
        rows={revealed.identities}
        keyOf={({ identity_type: type, identity_value: value }) => `${type} ${value}`}
        columns={[
          { title: t.type, text: ({ identity_type: type }) => type },
          { title: t.value, text: ({ identity_value: value }) => value },
        ]}
      />
      <Facts
        facts={[
          [t.group, revealed.group_id ?? '–'],
          [t.hosts, revealed.callback_hosts.join(', ') || '–'],
          [t.extension, revealed.extension_reason ?? '–'],
          [
            t.decisions,
            <ul>
              {revealed.decisions.map(({ action, time, by, reason }) => (
                <li key={`${time} ${action}`}>
                  <Time at={time} /> <Id id={action} />, {by}: {reason}
                </li>
              ))}
            </ul>,
          ],
        ]}
      />
    </>
  );
}
