import { texts } from '../language/texts';

export const actionTexts = texts({
  reason: ['Reason', 'Begründung'],
  reasonHelp: [
    'One line for the audit trail. Name no person in it.',
    'Eine Zeile für das Prüfprotokoll. Nennen Sie keine Person.',
  ],
  back: ['Back', 'Zurück'],
  refused: ['It was not done', 'Es wurde nicht ausgeführt'],
  unknown: ['It is not known whether it was done', 'Es ist nicht bekannt, ob es ausgeführt wurde'],
});
