import { Alert, Button } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ReasonDialog } from '../../actions/reason-dialog';
import { api, bodyOf } from '../../api/client';
import type { components } from '../../api/operator';
import { useFormats, useTexts } from '../../language/language-context';
import type { ServiceName } from './parked-record';
import { parkedTexts } from './texts';

interface RedriveAllProps {
  readonly service: ServiceName;
  readonly workspace: string | undefined;
  /** Why they were parked. */
  readonly parkedReason: string | undefined;
  /** Of the records. */
  readonly recordKey: string | undefined;
}

interface Marked {
  readonly marked: number;
  readonly before: number;
}

/** Has all records of a service that fit the filters handled again. */
export function RedriveAll({ service, workspace, parkedReason, recordKey }: RedriveAllProps) {
  const t = useTexts(parkedTexts);
  const { count } = useFormats();
  const queries = useQueryClient();
  const [isAsking, ask] = useState(false);
  const [done, setDone] = useState<Marked>();
  const redrive = async (reason: string): Promise<void> => {
    const about = {
      ...(workspace && { workspace }),
      ...(parkedReason && { parked_reason: parkedReason }),
      ...(recordKey && { key: recordKey }),
    };
    setDone(await redriveEvery(service, { reason, ...about }));
    await queries.invalidateQueries({ queryKey: ['parked'] });
  };
  return (
    <>
      <Button variant="secondary" onClick={() => ask(true)}>
        {t.redriveAll}
      </Button>
      {done && (
        <Alert
          isInline
          isPlain
          isLiveRegion
          variant="success"
          title={t.marked(count(done.marked), count(done.before))}
        />
      )}
      {isAsking && (
        <ReasonDialog
          title={t.redriveMany(service)}
          help={t.redriveManyHelp}
          confirm={t.redrive}
          onConfirm={redrive}
          onClose={() => ask(false)}
        />
      )}
    </>
  );
}

type About = Readonly<Record<'reason', string> & Partial<Record<'workspace' | 'parked_reason' | 'key', string>>>;

type Answered = components['schemas']['OperatorRedrive'];

/** A call marks a bounded number of records, and says where the next goes on. */
async function redriveEvery(service: ServiceName, about: About): Promise<Marked> {
  let done: Marked = { marked: 0, before: 0 };
  let cursor: string | null = null;
  do {
    const body = { ...about, cursor };
    const answer: Answered = await bodyOf(
      api.POST('/operator/v1/parked/{service}/redrive', { params: { path: { service } }, body }),
    );
    done = { marked: done.marked + answer.marked, before: done.before + answer.marked_already };
    cursor = answer.next_cursor;
  } while (cursor !== null);
  return done;
}
