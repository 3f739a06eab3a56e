import { Checkbox, FormGroup } from '@patternfly/react-core';
import { useId, useState } from 'react';
import { ReasonDialog } from '../../../actions/reason-dialog';
import { TextField } from '../../../actions/text-field';
import { api, bodyOf, readingAgain } from '../../../api/client';
import { useTexts } from '../../../language/language-context';
import type { NewKey } from './made-key';
import { keyTexts } from './texts';

/** What an administrator began. */
export type KeyChange = { readonly what: 'make' } | { readonly what: 'rotate' | 'revoke'; readonly key: string };

interface KeyDialogProps {
  readonly ws: string;
  /** Of the list of the keys as it was read. */
  readonly tag: string;
  readonly onMade: (made: NewKey) => void;
  /** After every answer, a refusal too. */
  readonly onAnswered: () => Promise<void>;
  readonly onClose: () => void;
}

const SCOPES = ['dsr', 'ingest'] as const;
type Scope = (typeof SCOPES)[number];

/** Makes a key. */
export function MakeKey({ ws, onMade, onAnswered, onClose }: Omit<KeyDialogProps, 'tag'>) {
  const t = useTexts(keyTexts);
  const id = useId();
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPES);
  const [expiresIn, setExpiresIn] = useState('');
  const make = async (reason: string): Promise<void> => {
    const body = { reason, scopes: [...scopes], ...(expiresIn !== '' && { expires_in: expiresIn }) };
    const made = api.POST('/operator/v1/workspaces/{ws}/api-keys', { params: { path: { ws } }, body });
    onMade(await readingAgain(bodyOf(made), onAnswered));
  };
  const toggle = (scope: Scope): void =>
    setScopes(SCOPES.filter((one) => (one === scope ? !scopes.includes(one) : scopes.includes(one))));
  return (
    <ReasonDialog title={t.make} help={t.makeHelp} confirm={t.make} onConfirm={make} onClose={onClose}>
      <FormGroup role="group" label={t.columns.scopes} fieldId={id}>
        {SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            id={`${id}-${scope}`}
            label={t.scope[scope]}
            isChecked={scopes.includes(scope)}
            onChange={() => toggle(scope)}
          />
        ))}
      </FormGroup>
      <TextField label={t.expiresIn} help={t.expiresInHelp} value={expiresIn} onChange={setExpiresIn} />
    </ReasonDialog>
  );
}

/** Makes a key in place of one that ends. */
export function RotateKey({
  ws,
  tag,
  keyName,
  onMade,
  onAnswered,
  onClose,
}: KeyDialogProps & { readonly keyName: string }) {
  const t = useTexts(keyTexts);
  const [overlap, setOverlap] = useState('24h');
  const [expiresIn, setExpiresIn] = useState('');
  const rotate = async (reason: string): Promise<void> => {
    const body = { reason, ...(overlap !== '' && { overlap }), ...(expiresIn !== '' && { expires_in: expiresIn }) };
    const params = { path: { ws, key: keyName }, header: { 'If-Match': tag } };
    const made = api.POST('/operator/v1/workspaces/{ws}/api-keys/{key}/rotation', { params, body });
    onMade(await readingAgain(bodyOf(made), onAnswered));
  };
  return (
    <ReasonDialog
      title={t.rotateOne(keyName)}
      help={t.rotateHelp}
      confirm={t.rotate}
      onConfirm={rotate}
      onClose={onClose}
    >
      <TextField label={t.overlap} help={t.overlapHelp} value={overlap} onChange={setOverlap} />
      <TextField label={t.expiresIn} help={t.expiresInHelp} value={expiresIn} onChange={setExpiresIn} />
    </ReasonDialog>
  );
}
