import { Button, Label } from '@patternfly/react-core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../language/language-context';
import { saveFile } from '../../parts/save-file';
import { Code } from '../../parts/code';
import { Section } from '../../parts/section';
import { openCheckpoint } from '../../proof/checkpoint';
import { readKey } from '../../proof/note';
import { evidenceTexts } from './texts';

interface CheckpointProps {
  readonly checkpoint: string | null;
  readonly verifierKey: string;
}

type Verdict = 'valid' | 'invalid' | 'unknown';

const STATUS = { valid: 'success', invalid: 'danger', unknown: 'warning' } as const;

/** The newest checkpoint, with its signature checked here. */
export function CheckpointText({ checkpoint, verifierKey }: CheckpointProps) {
  const t = useTexts(evidenceTexts);
  const { data: verdict } = useQuery({
    queryKey: ['checkpoint-verdict', checkpoint, verifierKey],
    queryFn: () => verdictOn(checkpoint ?? '', verifierKey),
    enabled: checkpoint !== null,
  });
  if (checkpoint === null)
    return (
      <Section title={t.checkpoint}>
        <p>{t.noCheckpoint}</p>
      </Section>
    );
  const save = (): void => {
    saveFile('checkpoint.txt', checkpoint, 'text/plain;charset=utf-8');
    saveFile('log.vkey', `${verifierKey}\n`, 'text/plain;charset=utf-8');
  };
  return (
    <Section
      title={t.checkpoint}
      actions={
        <Button variant="secondary" onClick={save}>
          {t.download}
        </Button>
      }
    >
      <Code label={t.checkpoint}>{checkpoint}</Code>
      <p role="status">
        {t.signature}: {verdict && <Label status={STATUS[verdict]}>{t[verdict]}</Label>}
      </p>
    </Section>
  );
}

/** Browsers without Ed25519 throw. */
async function verdictOn(checkpoint: string, verifierKey: string): Promise<Verdict> {
  try {
    const key = await readKey(verifierKey);
    return key && (await openCheckpoint(checkpoint, key)) ? 'valid' : 'invalid';
  } catch {
    return 'unknown';
  }
}
