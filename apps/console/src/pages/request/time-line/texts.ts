import { texts } from '../../../language/texts';

export const timeLineTexts = texts({
  title: ['Time line', 'Zeitverlauf'],
  kinds: {
    received: ['Received', 'Eingegangen'],
    started: ['Started', 'Begonnen'],
    participant_reported: ['A participant reported', 'Ein Teilnehmer hat gemeldet'],
    extended: ['Legal date extended', 'Frist verlängert'],
    completed: ['Completed', 'Abgeschlossen'],
    cancelled: ['Cancelled', 'Abgebrochen'],
    key_destroyed: ['Key destroyed', 'Schlüssel vernichtet'],
    command_waiting: ['Waits for the request service', 'Wartet auf den Anfragedienst'],
    callback_queued: ['Callback queued', 'Rückruf eingereiht'],
    callback_attempted: ['Callback sent', 'Rückruf gesendet'],
    callback_due: ['Callback is due', 'Rückruf ist fällig'],
    attested: ['Attested', 'Bescheinigt'],
    noted: ['Noted in the audit trail', 'Im Prüfprotokoll vermerkt'],
    parked: ['A record was parked', 'Ein Datensatz wurde geparkt'],
  },
  outcomes: {
    delivered: ['taken', 'angenommen'],
    rejected: ['refused', 'abgelehnt'],
    gone: ['receiver is gone', 'Empfänger gibt es nicht mehr'],
    unreachable: ['receiver not reached', 'Empfänger nicht erreicht'],
    postponed: ['postponed', 'verschoben'],
  },
  attempt: [(n: string) => `attempt ${n}`, (n: string) => `Versuch ${n}`],
  until: ['until', 'bis'],
  statement: [(n: string) => `statement ${n}`, (n: string) => `Aussage ${n}`],
});
