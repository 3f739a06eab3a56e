import { texts } from '../language/texts';

export const listTexts = texts({
  export: ['Export as CSV', 'Als CSV ausgeben'],
  shown: [
    (n: string, hasMore: boolean) => (hasMore ? `${n} read, there are more` : n === '1' ? '1 entry' : `${n} entries`),
    (n: string, hasMore: boolean) =>
      hasMore ? `${n} gelesen, es gibt weitere` : n === '1' ? '1 Eintrag' : `${n} Einträge`,
  ],
  loadingMore: ['Reading more…', 'Weitere werden gelesen …'],
  searchOn: ['Hardly any match in the last pages: search on', 'Auf den letzten Seiten passt fast nichts: weitersuchen'],
  readAgain: ['Read again', 'Neu lesen'],
  newer: ['There may be newer ones: read the list again', 'Es kann neuere geben: Liste neu lesen'],
  any: ['any', 'alle'],
  reset: ['Remove all filters', 'Alle Filter entfernen'],
  nothingMatches: ['Nothing matches these filters', 'Nichts passt zu diesen Filtern'],
  nothingMatchesHelp: [
    'Remove a filter, or widen a range of time.',
    'Entfernen Sie einen Filter, oder erweitern Sie den Zeitraum.',
  ],
});
