import { texts } from '../language/texts';

export const actionTexts = texts(
  {
    reason: 'Reason',
    reasonHelp: 'One line for the audit trail. Name no person in it.',
    back: 'Back',
    refused: 'It was not done',
    unknown: 'It is not known whether it was done',
  },
  {
    reason: 'Begründung',
    reasonHelp: 'Eine Zeile für das Prüfprotokoll. Nennen Sie keine Person.',
    back: 'Zurück',
    refused: 'Es wurde nicht ausgeführt',
    unknown: 'Es ist nicht bekannt, ob es ausgeführt wurde',
  },
);
