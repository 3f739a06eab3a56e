import { texts } from '../../language/texts';

export const auditTexts = texts({
  title: ['Audit', 'Prüfprotokoll'],
  intro: [
    'What operators asked for and when: each entry was written before it was done.',
    'Was Bedienende wann verlangt haben: Jeder Eintrag wurde geschrieben, bevor es geschah.',
  ],
  empty: ['There is no entry yet', 'Es gibt noch keinen Eintrag'],
  emptyHelp: [
    'One appears here as soon as an operator changes something, or asks to see an identity.',
    'Einer erscheint hier, sobald jemand etwas ändert oder Kennungen sehen will.',
  ],
  columns: {
    time: ['Time', 'Zeit'],
    by: ['Operator', 'Bedienende'],
    role: ['Role', 'Rolle'],
    action: ['Action', 'Handlung'],
    workspace: ['Workspace', 'Arbeitsbereich'],
    request: ['Request', 'Anfrage'],
    reason: ['Reason', 'Begründung'],
    object: ['About', 'Worum es ging'],
    approved: ['Approved by', 'Zugestimmt hat'],
  },
  objects: {
    participant: ['participant', 'Beteiligte'],
    delivery_id: ['callback', 'Rückruf'],
    service: ['records of', 'Datensätze von'],
    record: ['record', 'Datensatz'],
    key: ['key', 'Schlüssel'],
  },
  filters: {
    from: ['From', 'Ab'],
    to: ['Until', 'Bis'],
  },
  noReason: ['none, or its key is destroyed', 'keine, oder ihr Schlüssel ist vernichtet'],
});
