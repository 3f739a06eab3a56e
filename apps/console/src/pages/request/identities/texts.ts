import { texts } from '../../../language/texts';

export const identitiesTexts = texts({
  title: ['Identities', 'Identitäten'],
  masked: ['Whom this request is about is not shown.', 'Um wen es in dieser Anfrage geht, wird nicht gezeigt.'],
  notAllowed: [
    'Officers and administrators may see it, for a reason, on the record.',
    'Datenschutzbeauftragte und Administratoren können es sehen: mit Begründung und Vermerk.',
  ],
  gone: [
    'The key of the request no longer exists: nobody can read it any more.',
    'Den Schlüssel der Anfrage gibt es nicht mehr: Niemand kann es noch lesen.',
  ],
  reveal: ['Show the identities', 'Identitäten zeigen'],
  help: [
    'The audit trail and the transparency log note it first, with your reason. It counts against a daily limit.',
    'Prüfprotokoll und Transparenzprotokoll vermerken es zuerst, mit Ihrer Begründung. Es zählt gegen eine tägliche Grenze.',
  ],
  waits: [
    'Somebody else must approve it. Ask again afterwards; this wish ends:',
    'Eine zweite Person muss zustimmen. Fragen Sie danach noch einmal; dieser Wunsch endet:',
  ],
  shown: [
    'They are shown on this page only, and not printed.',
    'Sie stehen nur auf dieser Seite und werden nicht gedruckt.',
  ],
  hide: ['Hide them', 'Verbergen'],
  type: ['Kind', 'Art'],
  value: ['Value', 'Wert'],
  group: ['Group', 'Gruppe'],
  hosts: ['Hosts of callback URLs', 'Hosts der Rückrufadressen'],
  extension: ['Reason of the extension', 'Grund der Verlängerung'],
  decisions: ['Decisions and their reasons', 'Entscheidungen und ihre Gründe'],
});
