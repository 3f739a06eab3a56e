import { texts } from '../../language/texts';

export const requestTexts = texts({
  title: [(type: string) => `Request: ${type}`, (type: string) => `Anfrage: ${type}`],
  print: ['Print', 'Drucken'],
  more: ['Read more', 'Weitere lesen'],
  cut: ['This goes on: the rest of it was not read.', 'Es geht weiter: Der Rest wurde nicht gelesen.'],
  facts: ['Facts', 'Angaben'],
  columns: {
    id: ['Id', 'Kennung'],
    workspace: ['Workspace', 'Arbeitsbereich'],
    controller: ['Controller', 'Verantwortlicher'],
    regulation: ['Law', 'Gesetz'],
    version: ['Interface', 'Schnittstelle'],
    group: ['Requests of its group', 'Anfragen ihrer Gruppe'],
    key: ['Key', 'Schlüssel'],
    expected: ['Expected completion', 'Erwarteter Abschluss'],
    ended: ['Ended', 'Beendet'],
  },
  keys: {
    alive: ['exists', 'vorhanden'],
    destroyed: ['destroyed', 'vernichtet'],
    lost: ['lost', 'verloren'],
  },
  keyDue: ['Key is destroyed from', 'Schlüssel wird vernichtet ab'],
  extend: {
    do: ['Extend the legal date', 'Frist verlängern'],
    help: [
      'The law allows it once, before the date is over. The controller must inform the data subject.',
      'Das Gesetz erlaubt es einmal, vor Ablauf der Frist. Der Verantwortliche muss es der betroffenen Person mitteilen.',
    ],
  },
  cancel: {
    do: ['Cancel the request', 'Anfrage abbrechen'],
    help: [
      'On behalf of its controller, while it is pending. Callbacks are sent. It cannot be taken back.',
      'Im Namen des Verantwortlichen, solange sie wartet. Rückrufe melden es. Es ist endgültig.',
    ],
  },
  waive: {
    do: ['Waive', 'Verzichten'],
    title: [(name: string) => `Waive ${name}`, (name: string) => `Auf ${name} verzichten`],
    help: [
      'Ends the wait for its report. Its controller sees it as skipped. It cannot be taken back.',
      'Beendet das Warten auf die Meldung. Der Verantwortliche sieht den Anteil als übersprungen. Es ist endgültig.',
    ],
  },
  replay: {
    do: ['Send again', 'Erneut senden'],
    title: ['Send this callback again', 'Diesen Rückruf erneut senden'],
    help: ['The receiver gets the same bytes as before.', 'Der Empfänger bekommt dieselben Bytes wie zuvor.'],
  },
  participants: ['Participants outside of the service', 'Teilnehmer außerhalb des Dienstes'],
  noParticipants: ['No system outside of the service takes part.', 'Kein System außerhalb des Dienstes ist beteiligt.'],
  participant: ['Participant', 'Teilnehmer'],
  share: ['Its share', 'Sein Anteil'],
});
