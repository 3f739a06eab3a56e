import { count, flag, object, objects, textOrNull, timeOrNull, word } from '@opendsr-service/edge';

export const OPERATOR_TRANSPARENCY = object('How the transparency log is.', {
  size: count('How many leaves the newest checkpoint covers.'),
  checkpoint: textOrNull('The newest checkpoint. Null before the first one.'),
  verifier_key: word('What checks its signature.'),
  uncovered_since: timeOrNull('Since when the oldest leaf waits that no checkpoint covers. Null: none waits.'),
  witnesses: objects('Who is asked to cosign it.', {
    name: word('Its name.'),
    has_cosigned: flag('Whether it has ever cosigned.'),
    since: timeOrNull('When it cosigned last, or was asked first. Null: it was never asked.'),
    reason: textOrNull('Why it did not cosign when it was asked last.'),
  }),
});
