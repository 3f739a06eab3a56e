import { asProblem, isPassing, type Problem } from '../api/problem';
import { FORGED_CALL } from '../api/session-doubt';
import { useTexts } from '../language/language-context';
import { partsTexts } from './texts';

type Words = (typeof partsTexts)['en']['problem'];
type TitleAndHelp = readonly [title: string, help: string];

/** What went wrong, and what the viewer can do about it. */
export function useProblemWords(): (error: unknown) => TitleAndHelp {
  const { problem: words } = useTexts(partsTexts);
  return (error) => wordsOf(asProblem(error), words);
}

function wordsOf(problem: Problem, words: Words): TitleAndHelp {
  const { status, message, reason, retryAfterSeconds = 30 } = problem;
  switch (status) {
    case 0:
      return [words.offline, words.offlineHelp];
    case 403:
      return reason === FORGED_CALL ? [words.renewed, words.renewedHelp] : [words.forbidden, words.forbiddenHelp];
    case 404:
      return [words.missing, words.missingHelp];
    case 412:
      return [words.changed, words.changedHelp];
    case 429:
      return [words.busy, words.busyHelp(retryAfterSeconds)];
    default:
      return isPassing(problem) ? [words.away, words.awayHelp] : [words.other, `${words.otherHelp} ${message}`];
  }
}
