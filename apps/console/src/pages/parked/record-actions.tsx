import { Button } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useReasonDialog } from '../../actions/use-reason-dialog';
import { api, bodyOf, readingAgain } from '../../api/client';
import { may } from '../../api/permission';
import { useFormats, useTexts } from '../../language/language-context';
import { Notice } from '../../parts/notice';
import { useSession } from '../../session/session-context';
import type { ParkedDetail } from './parked-record';
import { parkedTexts } from './texts';

interface RecordActionsProps {
  readonly record: ParkedDetail;
  /** Of the record as it was read. */
  readonly tag: string;
  /** When that was. */
  readonly readAt: number;
  /** Whether it is not parked any more. */
  readonly isGone: boolean;
}

/** What was asked for, and what to say of it. */
interface Done {
  readonly what: 'marked' | 'dropped';
  /** Of the record that it was asked for. */
  readonly readAt: number;
  readonly said: string;
}

/** Whether the record was read again since it was marked, and is parked as before. */
const isInVain = (done: Done | undefined, { readAt, record }: Pick<RecordActionsProps, 'readAt' | 'record'>): boolean =>
  done?.what === 'marked' && readAt > done.readAt && !record.marked;

/** What can be done about a parked record, by those whose roles allow it. */
export function RecordActions({ record, tag, readAt, isGone }: RecordActionsProps) {
  const t = useTexts(parkedTexts);
  const { count } = useFormats();
  const queries = useQueryClient();
  const session = useSession();
  const { dialog, ask } = useReasonDialog();
  const [done, setDone] = useState<Done>();
  const { service, id, workspace } = record;
  if (!may(session, 'repair', workspace)) return null;
  const params = { path: { service, id }, header: { 'If-Match': tag } };
  /** Also after a refusal: the record may have changed meanwhile. */
  const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['parked'] });
  const redrive = async (reason: string): Promise<void> => {
    const redriven = api.POST('/operator/v1/parked/{service}/{id}/redrive', { params, body: { reason } });
    const answer = await readingAgain(bodyOf(redriven), readAgain);
    setDone({ what: 'marked', readAt, said: t.marked(count(answer.marked), count(answer.marked_already)) });
  };
  const drop = async (reason: string): Promise<void> => {
    const dropped = api.POST('/operator/v1/parked/{service}/{id}/drop', { params, body: { reason } });
    await readingAgain(bodyOf(dropped), readAgain);
    setDone({ what: 'dropped', readAt, said: t.dropped });
  };
  const isMarkedInVain = isInVain(done, { readAt, record });
  return (
    <>
      {!isGone && (
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
        </>
      )}
      {/* Of a record that was handled the page says so. */}
      {done && (done.what === 'dropped' || !isGone) && (
        <Notice
          isPlain
          isLiveRegion
          variant={isMarkedInVain ? 'warning' : 'success'}
          title={isMarkedInVain ? t.failedAgain : done.said}
        />
      )}
      {dialog}
    </>
  );
}
