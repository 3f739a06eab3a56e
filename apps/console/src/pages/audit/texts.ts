import { texts } from '../../language/texts';

export const auditTexts = texts(
  {
    title: 'Audit',
    intro: 'What operators asked for and when: each entry was written before it was done.',
    empty: 'There is no entry yet',
    emptyHelp: 'One appears here as soon as an operator changes something, or asks to see an identity.',
    columns: {
      time: 'Time',
      by: 'Operator',
      role: 'Role',
      action: 'Action',
      workspace: 'Workspace',
      request: 'Request',
      reason: 'Reason',
    },
    filters: { from: 'From', to: 'Until' },
    sealed: 'sealed; shown with the identities',
  },
  {
    title: 'Prüfprotokoll',
    intro: 'Was Bedienende wann verlangt haben: Jeder Eintrag wurde geschrieben, bevor es geschah.',
    empty: 'Es gibt noch keinen Eintrag',
    emptyHelp: 'Einer erscheint hier, sobald jemand etwas ändert oder Kennungen sehen will.',
    columns: {
      time: 'Zeit',
      by: 'Bedienende',
      role: 'Rolle',
      action: 'Handlung',
      workspace: 'Arbeitsbereich',
      request: 'Anfrage',
      reason: 'Begründung',
    },
    filters: { from: 'Ab', to: 'Bis' },
    sealed: 'versiegelt; wird mit den Kennungen gezeigt',
  },
);
