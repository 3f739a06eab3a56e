import { texts } from '../language/texts';

export const listTexts = texts(
  {
    export: 'Export as CSV',
    shown: (n: string, hasMore: boolean) =>
      hasMore ? `${n} read, there are more` : n === '1' ? '1 entry' : `${n} entries`,
    loadingMore: 'Reading more…',
    readAgain: 'Read again',
    newer: 'There may be newer ones: read the list again',
    any: 'any',
    reset: 'Remove all filters',
    nothingMatches: 'Nothing matches these filters',
    nothingMatchesHelp: 'Remove a filter, or widen a range of time.',
  },
  {
    export: 'Als CSV ausgeben',
    shown: (n, hasMore) => (hasMore ? `${n} gelesen, es gibt weitere` : n === '1' ? '1 Eintrag' : `${n} Einträge`),
    loadingMore: 'Weitere werden gelesen …',
    readAgain: 'Neu lesen',
    newer: 'Es kann neuere geben: Liste neu lesen',
    any: 'alle',
    reset: 'Alle Filter entfernen',
    nothingMatches: 'Nichts passt zu diesen Filtern',
    nothingMatchesHelp: 'Entfernen Sie einen Filter, oder erweitern Sie den Zeitraum.',
  },
);
