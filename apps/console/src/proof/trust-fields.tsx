import { Button, ExpandableSection, Form, FormGroup } from '@patternfly/react-core';
import { useId, useState } from 'react';
import { TextField } from '../actions/text-field';
import { useFormats, useTexts } from '../language/language-context';
import { Notice } from '../parts/notice';
import { trustTexts } from './trust-texts';
import { authoritiesIn } from './trust';
import type { useTrust } from './use-trust';

/** What the viewer may choose to believe. */
export function TrustFields({ trust, isOwn, choose, reset }: ReturnType<typeof useTrust>) {
  const t = useTexts(trustTexts);
  const { count } = useFormats();
  const fileId = useId();
  const [isOpen, setOpen] = useState(false);
  if (!trust) return null;
  const isMissing = trust.authorities === '';
  const readAuthorities = async (file: File | undefined): Promise<void> => {
    if (file) choose({ ...trust, authorities: await file.text() });
  };
  return (
    <>
      {isMissing && <Notice isPlain variant="info" title={t.missing} />}
      <ExpandableSection
        className="console-no-print"
        toggleText={t.title}
        isExpanded={isOpen || isMissing}
        onToggle={(_event, next) => setOpen(next)}
      >
        <Form>
          <p>{t.help}</p>
          <TextField
            label={t.domain}
            help={t.domainHelp}
            value={trust.domains.join(', ')}
            onChange={(text) => choose({ ...trust, domains: text.split(',').map((one) => one.trim()) })}
          />
          <TextField
            label={t.logKey}
            help={t.logKeyHelp}
            value={trust.logKey}
            onChange={(logKey) => choose({ ...trust, logKey })}
          />
          <FormGroup label={t.authority} fieldId={fileId}>
            <input
              id={fileId}
              type="file"
              accept=".pem,.crt"
              onChange={({ target }) => void readAuthorities(target.files?.[0])}
            />
            <p>{t.count(count(authoritiesIn(trust.authorities)))}</p>
          </FormGroup>
          {isOwn && (
            <Button variant="link" isInline onClick={reset}>
              {t.reset}
            </Button>
          )}
        </Form>
      </ExpandableSection>
    </>
  );
}
