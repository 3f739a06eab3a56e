import { Alert, Button } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useReasonDialog } from '../../actions/use-reason-dialog';
import { api, bodyOf, readingAgain } from '../../api/client';
import { may } from '../../api/permission';
import { useFormats, useTexts } from '../../language/language-context';
import { useSession } from '../../session/session-context';
import type { ParkedDetail } from './parked-record';
import { parkedTexts } from './texts';

interface RecordActionsProps {
  readonly record: ParkedDetail;
  /** Of the record as it was read. */
  readonly tag: string;
}

/** What can be done about a parked record, by those whose roles allow it. */
export function RecordActions({ record, tag }: RecordActionsProps) {
  const t = useTexts(parkedTexts);
  const { count } = useFormats();
  const queries = useQueryClient();
  const session = useSession();
  const { dialog, ask } = useReasonDialog();
  const [done, setDone] = useState<string>();
  const { service, id, workspace } = record;
  if (!may(session, 'repair', workspace)) return null;
  const params = { path: { service, id }, header: { 'If-Match': tag } };
  /** Also after a refusal: the record may have changed meanwhile. */
  const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['parked'] });
  const redrive = async (reason: string): Promise<void> => {
    const redriven = api.POST('/operator/v1/parked/{service}/{id}/redrive', { params, body: { reason } });
    const answer = await readingAgain(bodyOf(redriven), readAgain);
    setDone(t.marked(count(answer.marked), count(answer.marked_already)));
  };
  const drop = async (reason: string): Promise<void> => {
    await bodyOf(api.POST('/operator/v1/parked/{service}/{id}/drop', { params, body: { reason } })).catch(
      async (error: unknown) => {
        await readAgain();
        throw error;
      },
    );
    setDone(t.dropped);
    await queries.invalidateQueries({ queryKey: ['parked'], refetchType: 'none' });
  };
  return (
    <>
      <Button
        variant="primary"
        onClick={() => ask({ label: t.redrive, title: t.redriveOne, help: t.redriveOneHelp, onConfirm: redrive })}
      >
        {t.redrive}
      </Button>{' '}
      <Button
        variant="danger"
        onClick={() =>
          ask({
            ...{ label: t.drop, title: t.dropOne, help: t.dropOneHelp(count(record.behind)), isDangerous: true },
            onConfirm: drop,
          })
        }
      >
        {t.drop}
      </Button>
      {done !== undefined && <Alert isInline isPlain isLiveRegion variant="success" title={done} />}
      {dialog}
    </>
  );
}
