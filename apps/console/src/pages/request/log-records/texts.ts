import { texts } from '../../../language/texts';

export const recordTexts = texts({
  title: ['Records on the log', 'Datensätze im Ereignisprotokoll'],
  open: ['Search the event log', 'Ereignisprotokoll durchsuchen'],
  help: [
    'The event log has no index of requests: this reads the part of each topic where the request is, from its receipt on. Nothing that is sealed is shown.',
    'Das Ereignisprotokoll hat kein Verzeichnis der Anfragen: Gelesen wird der Teil jedes Topics, in dem die Anfrage steht, ab ihrem Eingang. Nichts Versiegeltes wird gezeigt.',
  ],
  none: ['The log has no record of it.', 'Das Protokoll hat keinen Datensatz dazu.'],
  noneYet: ['No record of it so far.', 'Bisher kein Datensatz dazu.'],
  time: ['Time', 'Zeit'],
  type: ['Message', 'Nachricht'],
  number: ['Number', 'Nummer'],
  topic: ['Topic', 'Topic'],
  place: ['Partition and offset', 'Partition und Offset'],
  fields: ['Fields', 'Felder'],
  malformed: ['not as its topic says', 'nicht, wie das Topic es verlangt'],
  bytes: ['Size in bytes', 'Größe in Bytes'],
  id: ['Id of the message', 'Kennung der Nachricht'],
  read: ['What was read', 'Was gelesen wurde'],
  readTo: ['Read until', 'Gelesen bis'],
  state: ['How far', 'Wie weit'],
  removed: ['Removed by the retention', 'Von der Aufbewahrung entfernt'],
  states: {
    read: ['to the end', 'bis zum Ende'],
    denied: ['Kafka does not let the gateway read it', 'Kafka lässt das Gateway nicht lesen'],
  },
  stopped: {
    records: ['stopped: the page is full', 'angehalten: Die Seite ist voll'],
    bytes: ['stopped: much was read', 'angehalten: Es wurde viel gelesen'],
    time: ['stopped: it took long', 'angehalten: Es dauerte lange'],
  },
  nothingRemoved: ['nothing of its time', 'nichts aus ihrer Zeit'],
  allRemoved: [(kept: string) => `everything (kept for ${kept})`, (kept: string) => `alles (${kept} aufbewahrt)`],
  removedBefore: [
    (time: string, kept: string) => `what is older than ${time} (kept for ${kept})`,
    (time: string, kept: string) => `was älter ist als ${time} (${kept} aufbewahrt)`,
  ],
});
