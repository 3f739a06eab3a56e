import { ActionGroup, Button, Form } from '@patternfly/react-core';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { TextField } from '../../actions/text-field';
import { useFormats, useTexts } from '../../language/language-context';
import { codeColumn } from '../../lists/column';
import { PlainTable } from '../../lists/plain-table';
import { Notice } from '../../parts/notice';
import { ProblemState } from '../../parts/problem-state';
import { saveFile } from '../../parts/save-file';
import { concat, utf8 } from '../../proof/bytes';
import { auditLog, kindsOf, MOST_AUDITED, type Verdict } from './audit-log';
import { evidenceTexts } from './texts';

const LATEST = 256;
const LINE_END = utf8('\n');

interface RangeAuditProps {
  readonly checkpoint: string;
  readonly size: number;
  /** What the viewer believes to be the key of the log. */
  readonly logKey: string;
}

/** Reads a range of the log and computes its tree, in the browser. */
export function RangeAudit({ checkpoint, size, logKey }: RangeAuditProps) {
  const t = useTexts(evidenceTexts);
  const { count } = useFormats();
  const [begin, setBegin] = useState(String(Math.max(0, size - LATEST)));
  const [end, setEnd] = useState(String(size));
  const range = { begin: Number(begin), end: Number(end) };
  const isRange =
    [begin, end].every((text) => /^\d+$/.test(text)) &&
    range.begin < range.end &&
    range.end <= size &&
    range.end - range.begin <= MOST_AUDITED;
  const audit = useMutation({ mutationFn: () => auditLog(checkpoint, logKey, range) });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isRange) audit.mutate();
  };
  return (
    <>
      <p>{t.rangeHelp(count(MOST_AUDITED))}</p>
      <Form onSubmit={submit} isWidthLimited className="console-no-print">
        <TextField label={t.from} help={t.fromHelp} value={begin} onChange={setBegin} isRequired />
        <TextField label={t.to} help={t.toHelp(count(size))} value={end} onChange={setEnd} isRequired />
        <ActionGroup>
          <Button type="submit" isDisabled={!isRange || audit.isPending}>
            {audit.isPending ? t.auditing : t.auditRange}
          </Button>
        </ActionGroup>
      </Form>
      {audit.error !== null && <ProblemState error={audit.error} onRetry={() => audit.mutate()} />}
      {audit.data && <Found verdict={audit.data} />}
    </>
  );
}

function Found({ verdict }: { readonly verdict: Verdict }) {
  const t = useTexts(evidenceTexts);
  const { count } = useFormats();
  const { begin, end } = verdict.range;
  if (!verdict.isSound) {
    const { fault } = verdict;
    const what = fault === undefined ? t.invalid : t.faults[fault.kind](fault.where);
    return (
      <Notice isLiveRegion variant="danger" title={t.unsound}>
        {what}
      </Notice>
    );
  }
  const save = (): void => {
    const lines = verdict.entries.flatMap((entry) => [entry, LINE_END]);
    saveFile(`log-entries-${String(begin)}-${String(end)}.jsonl`, concat(...lines), 'application/jsonl');
  };
  return (
    <>
      <Notice isLiveRegion variant="success" title={t.sound(count(verdict.entries.length), count(begin), count(end))} />
      <PlainTable
        name={t.kinds}
        rows={kindsOf(verdict.entries)}
        keyOf={([kind]) => kind}
        columns={[
          codeColumn(t.kind, ([kind]: readonly [string, number]) => kind),
          { title: t.size, text: ([, n]) => count(n) },
        ]}
      />
      <p>
        <Button variant="secondary" onClick={save}>
          {t.saveEntries}
        </Button>
      </p>
    </>
  );
}
