import { SearchInput } from '@patternfly/react-core';
import { useState } from 'react';
import { useTexts } from '../../language/language-context';
import { TableSection } from '../../lists/table-section';
import { settingsOf, type Service } from './system';
import { systemTexts } from './texts';

/** What the services run with. Secrets are not in the answer. */
export function Settings({ services }: { readonly services: readonly Service[] }) {
  const t = useTexts(systemTexts);
  const [text, setText] = useState('');
  return (
    <TableSection
      title={t.settings}
      actions={
        <SearchInput
          aria-label={t.find}
          placeholder={t.find}
          value={text}
          onChange={(_event, next) => setText(next)}
          onClear={() => setText('')}
        />
      }
      columns={[
        { title: t.service, text: ({ service }) => service },
        { title: t.setting, text: ({ name }) => name },
        { title: t.value, text: ({ value, hidden }) => value ?? (hidden ? t.secret : '–') },
      ]}
      rows={settingsOf(services, text)}
      keyOf={({ service, name }) => `${service} ${name}`}
    />
  );
}
