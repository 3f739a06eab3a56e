import { Button } from '@patternfly/react-core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useReasonDialog } from '../../../actions/use-reason-dialog';
import { api, readingAgain, readTagged } from '../../../api/client';
import { may } from '../../../api/permission';
import { useTexts } from '../../../language/language-context';
import { PlainTable } from '../../../lists/plain-table';
import { QueryState } from '../../../parts/query-state';
import { Section } from '../../../parts/section';
import { useSession } from '../../../session/session-context';
import { useKeyColumns } from './columns';
import { MakeKey, RotateKey, type KeyChange } from './key-dialog';
import { MadeKey, type NewKey } from './made-key';
import { keyTexts } from './texts';

/** The keys of a workspace, and what administrators do with them. */
export function ApiKeys({ ws }: { readonly ws: string }) {
  const t = useTexts(keyTexts);
  const queries = useQueryClient();
  const session = useSession();
  const { dialog, ask } = useReasonDialog();
  const [begun, setBegun] = useState<{ readonly change: KeyChange; readonly tag: string }>();
  const [made, show] = useState<NewKey>();
  const mayChange = may(session, 'administer', ws);
  const query = useQuery({
    queryKey: ['api-keys', ws],
    queryFn: ({ signal }) =>
      readTagged(api.GET('/operator/v1/workspaces/{ws}/api-keys', { params: { path: { ws } }, signal })),
  });
  /** Also after a refusal: the keys may have changed meanwhile. */
  const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['api-keys', ws] });
  const revoke = (key: string, tag: string) => (reason: string) => {
    const params = { path: { ws, key }, header: { 'If-Match': tag } };
    const revoked = api.POST('/operator/v1/workspaces/{ws}/api-keys/{key}/revocation', { params, body: { reason } });
    return readingAgain(revoked, readAgain);
  };
  /** The tag is that of the keys that were before the viewer then. */
  const begin = (change: KeyChange, tag = query.data?.tag ?? ''): void => {
    if (change.what !== 'revoke') return setBegun({ change, tag });
    const { key } = change;
    const words = { label: t.revoke, title: t.revokeOne(key), help: t.revokeHelp };
    ask({ ...words, isDangerous: true, onConfirm: revoke(key, tag) });
  };
  const columns = useKeyColumns(mayChange ? begin : undefined);
  const parts = { ws, onMade: show, onAnswered: readAgain, onClose: () => setBegun(undefined) };
  return (
    <Section title={t.title} actions={mayChange && <Button onClick={() => begin({ what: 'make' })}>{t.make}</Button>}>
      <QueryState query={query}>
        {({ body: { api_keys: keys } }) => (
          <PlainTable name={t.title} empty={t.none} columns={columns} rows={keys} keyOf={({ key }) => key} />
        )}
      </QueryState>
      {begun?.change.what === 'make' && <MakeKey {...parts} />}
      {begun?.change.what === 'rotate' && <RotateKey {...parts} keyName={begun.change.key} tag={begun.tag} />}
      {dialog}
      {made && !begun && <MadeKey made={made} onClose={() => show(undefined)} />}
    </Section>
  );
}
