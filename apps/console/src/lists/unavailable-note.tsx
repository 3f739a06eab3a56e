import { useTexts } from '../language/language-context';
import { Notice } from '../parts/notice';
import { unavailableTexts } from './unavailable-texts';

/** Says which services did not answer, so that their part of what is shown is missing. */
export function UnavailableNote({ services }: { readonly services: readonly string[] }) {
  const t = useTexts(unavailableTexts);
  if (services.length === 0) return null;
  return (
    <Notice variant="warning" title={t.title}>
      {t.help(services.join(', '))}
    </Notice>
  );
}
