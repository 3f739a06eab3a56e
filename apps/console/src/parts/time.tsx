import { useFormats } from '../language/language-context';
import { utcOf } from '../language/formats';

/** A time in the zone of the viewer, and in UTC as its title. A dash where there is none. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  const formats = useFormats();
  if (at === null || at === undefined) return <>–</>;
  return (
    <time dateTime={at} title={utcOf(at)}>
      {formats.time(at)}
    </time>
  );
}
