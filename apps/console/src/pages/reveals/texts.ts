import { texts } from '../../language/texts';

export const revealTexts = texts({
  title: ['Approvals', 'Freigaben'],
  intro: [
    'Wishes to see whom a request is about. Somebody else than who asks must approve each; it then counts for an hour, once.',
    'Wünsche zu sehen, wen eine Anfrage betrifft. Jeden muss eine andere Person freigeben; er gilt dann eine Stunde lang, einmal.',
  ],
  empty: ['No wish waits for an approval', 'Kein Wunsch wartet auf eine Freigabe'],
  emptyHelp: [
    'One appears here when somebody asks to see identities, where a second person must approve (OPERATOR_REVEAL_APPROVAL).',
    'Einer erscheint hier, wenn jemand Kennungen sehen will und eine zweite Person freigeben muss (OPERATOR_REVEAL_APPROVAL).',
  ],
  columns: {
    request: ['Request', 'Anfrage'],
    workspace: ['Workspace', 'Arbeitsbereich'],
    by: ['Asked by', 'Gewünscht von'],
    role: ['As', 'Als'],
    at: ['Asked', 'Gewünscht'],
    reason: ['Reason', 'Begründung'],
    ends: ['Counts until', 'Gilt bis'],
    actions: ['Action', 'Aktion'],
  },
  keyGone: ['destroyed with the key', 'mit dem Schlüssel vernichtet'],
  own: ['your own', 'Ihr eigener'],
  approve: ['Approve', 'Freigeben'],
  approveOne: [
    (request: string) => `Approve to show whom ${request} is about`,
    (request: string) => `Freigeben, wen ${request} betrifft`,
  ],
  approveHelp: [
    'Who asked may then see the identities once, within an hour. Both of you are in the audit trail.',
    'Wer gefragt hat, darf die Kennungen dann binnen einer Stunde einmal sehen. Sie beide stehen im Prüfprotokoll.',
  ],
});
