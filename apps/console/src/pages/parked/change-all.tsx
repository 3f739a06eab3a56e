import { Button } from '@patternfly/react-core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useReasonDialog } from '../../actions/use-reason-dialog';
import { api, bodyOf, readingAgain } from '../../api/client';
import { useFormats, useTexts } from '../../language/language-context';
import type { Filters } from '../../lists/address-filters';
import { Notice } from '../../parts/notice';
import { useProblemWords } from '../../parts/use-problem-words';
import { everyCall, type Call } from './every-call';
import type { ParkedKind, ServiceName } from './parked-record';
import { parkedTexts } from './texts';

type Which = Filters<'workspace' | 'parked_reason' | 'key'> & { readonly kind: ParkedKind | undefined };

interface ChangeAllProps {
  readonly service: ServiceName;
  readonly which: Which;
}

/** Has all records of a service that fit the filters handled again, or gives them up. */
export function ChangeAll({ service, which }: ChangeAllProps) {
  const t = useTexts(parkedTexts);
  const { count } = useFormats();
  const queries = useQueryClient();
  const { dialog, ask } = useReasonDialog();
  const wordsOf = useProblemWords();
  const [done, setDone] = useState<{ readonly what: string; readonly error?: unknown }>();
  const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ['parked'] });
  const redrive = async (reason: string): Promise<void> => {
    const { counts, ...rest } = await readingAgain(redriveEvery(service, { reason, ...which }), readAgain);
    setDone({ what: t.marked(count(counts[0]), count(counts[1])), ...rest });
  };
  const drop = async (reason: string): Promise<void> => {
    const { counts, ...rest } = await readingAgain(dropEvery(service, { reason, ...which }), readAgain);
    setDone({ what: t.droppedMany(count(counts[0]), count(counts[1])), ...rest });
  };
  return (
    <>
      <Button
        variant="secondary"
        onClick={() =>
          ask({ label: t.redrive, title: t.redriveMany(service), help: t.redriveManyHelp, onConfirm: redrive })
        }
      >
        {t.redriveAll}
      </Button>{' '}
      {/* Never all records of a service, or all that block others. */}
      {Object.keys(which).some((filter) => filter !== 'kind') && (
        <Button
          variant="danger"
          onClick={() =>
            ask({
              ...{ label: t.drop, title: t.dropMany(service), help: t.dropManyHelp, isDangerous: true },
              onConfirm: drop,
            })
          }
        >
          {t.dropAll}
        </Button>
      )}
      {done && (
        <Notice isPlain isLiveRegion variant={'error' in done ? 'warning' : 'success'} title={done.what}>
          {'error' in done && `${t.stopped} ${wordsOf(done.error).join('. ')}`}
        </Notice>
      )}
      {dialog}
    </>
  );
}

type About = Which & { readonly reason: string };

/** How many were marked, and how many before. */
const redriveEvery = (service: ServiceName, about: About) =>
  everyCall(async (cursor): Promise<Call> => {
    const body = { ...about, cursor };
    const params = { path: { service } };
    const answer = await bodyOf(api.POST('/operator/v1/parked/{service}/redrive', { params, body }));
    return { counts: [answer.marked, answer.marked_already], next: answer.next_cursor };
  });

/** How many were dropped, and how many stay. */
const dropEvery = (service: ServiceName, about: About) =>
  everyCall(async (cursor): Promise<Call> => {
    const body = { ...about, cursor };
    const answer = await bodyOf(
      api.POST('/operator/v1/parked/{service}/drop', { params: { path: { service } }, body }),
    );
    return { counts: [answer.dropped, answer.left], next: answer.next_cursor };
  });
