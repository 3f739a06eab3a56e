import { texts } from '../../language/texts';

export const revealTexts = texts(
  {
    title: 'Approvals',
    intro:
      'Wishes to see whom a request is about. Somebody else than who asks must approve each; it then counts for an hour, once.',
    empty: 'No wish waits for an approval',
    emptyHelp:
      'One appears here when somebody asks to see identities, where a second person must approve (OPERATOR_REVEAL_APPROVAL).',
    columns: {
      request: 'Request',
      workspace: 'Workspace',
      by: 'Asked by',
      role: 'As',
      at: 'Asked',
      reason: 'Reason',
      ends: 'Counts until',
      actions: 'Action',
    },
    keyGone: 'destroyed with the key',
    own: 'your own',
    approve: 'Approve',
    approveOne: (request: string) => `Approve to show whom ${request} is about`,
    approveHelp: 'Who asked may then see the identities once, within an hour. Both of you are in the audit trail.',
  },
  {
    title: 'Freigaben',
    intro:
      'Wünsche zu sehen, wen eine Anfrage betrifft. Jeden muss eine andere Person freigeben; er gilt dann eine Stunde lang, einmal.',
    empty: 'Kein Wunsch wartet auf eine Freigabe',
    emptyHelp:
      'Einer erscheint hier, wenn jemand Kennungen sehen will und eine zweite Person freigeben muss (OPERATOR_REVEAL_APPROVAL).',
    columns: {
      request: 'Anfrage',
      workspace: 'Arbeitsbereich',
      by: 'Gewünscht von',
      role: 'Als',
      at: 'Gewünscht',
      reason: 'Begründung',
      ends: 'Gilt bis',
      actions: 'Aktion',
    },
    keyGone: 'mit dem Schlüssel vernichtet',
    own: 'Ihr eigener',
    approve: 'Freigeben',
    approveOne: (request) => `Freigeben, wen ${request} betrifft`,
    approveHelp:
      'Wer gefragt hat, darf die Kennungen dann binnen einer Stunde einmal sehen. Sie beide stehen im Prüfprotokoll.',
  },
);
