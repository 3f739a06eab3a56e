import { texts } from '../../language/texts';

export const parkedTexts = texts({
  title: ['Parked records', 'Geparkte Datensätze'],
  intro: [
    'A service parks what it cannot handle and goes on. Find the cause, then have the records handled again, or drop them.',
    'Was ein Dienst nicht verarbeiten kann, parkt er und arbeitet weiter. Beheben Sie die Ursache, dann lassen Sie die Datensätze erneut verarbeiten oder geben Sie sie auf.',
  ],
  empty: ['Nothing is parked', 'Nichts ist geparkt'],
  emptyHelp: [
    'A record appears here when a service could not handle it.',
    'Ein Datensatz erscheint hier, wenn ein Dienst ihn nicht verarbeiten konnte.',
  ],
  one: [(id: string) => `Parked record ${id}`, (id: string) => `Geparkter Datensatz ${id}`],
  columns: {
    id: ['Record', 'Datensatz'],
    service: ['Service', 'Dienst'],
    reason: ['Why', 'Grund'],
    since: ['Since', 'Seit'],
    kind: ['Kind', 'Art'],
    type: ['Message', 'Nachricht'],
    request: ['Request', 'Anfrage'],
    workspace: ['Workspace', 'Arbeitsbereich'],
    key: ['Key', 'Schlüssel'],
    marked: ['Asked again', 'Erneut verlangt'],
    topic: ['Topic', 'Topic'],
    place: ['Partition and offset', 'Partition und Offset'],
    group: ['Consumer group', 'Consumer-Gruppe'],
    behind: ['Records behind it', 'Datensätze dahinter'],
    blockedBy: ['Waits behind', 'Wartet hinter'],
    bytes: ['Size', 'Größe'],
    hash: ['SHA-256 begins with', 'SHA-256 beginnt mit'],
    headers: ['Headers', 'Kopfzeilen'],
    header: ['Header', 'Kopfzeile'],
    value: ['Value', 'Wert'],
    otherHeaders: ['Other headers', 'Andere Kopfzeilen'],
  },
  kind: {
    blocking: ['holds others back', 'hält andere auf'],
    waiting: ['waits behind another', 'wartet hinter einem anderen'],
    aside: ['stands alone', 'steht für sich'],
  },
  notAside: ['holds others back or waits', 'hält andere auf oder wartet'],
  yes: ['yes', 'ja'],
  no: ['no', 'nein'],
  bytes: [(n: string) => `${n} bytes`, (n: string) => `${n} Bytes`],
  redrive: ['Handle again', 'Erneut verarbeiten'],
  redriveAll: ['Handle all of these again', 'Alle diese erneut verarbeiten'],
  chooseService: [
    'Choose a service to handle all of its records again.',
    'Wählen Sie einen Dienst, um alle seine Datensätze erneut verarbeiten zu lassen.',
  ],
  drop: ['Drop', 'Verwerfen'],
  redriveOne: ['Handle this record again', 'Diesen Datensatz erneut verarbeiten'],
  redriveOneHelp: [
    'The service handles it within seconds; the records behind it follow in their order.',
    'Der Dienst verarbeitet ihn binnen Sekunden; die Datensätze dahinter folgen in ihrer Ordnung.',
  ],
  redriveMany: [
    (service: string) => `Handle the records of ${service} again`,
    (service: string) => `Datensätze von ${service} erneut verarbeiten`,
  ],
  redriveManyHelp: [
    'All records of this service that fit the filters are handled again, each key in its order.',
    'Alle Datensätze dieses Dienstes, die zu den Filtern passen, werden erneut verarbeitet, je Schlüssel in ihrer Ordnung.',
  ],
  marked: [
    (n: string, before: string) => `${n} will be handled again; ${before} were marked already.`,
    (n: string, before: string) => `${n} werden erneut verarbeitet; ${before} waren schon vorgemerkt.`,
  ],
  dropOne: ['Drop this record', 'Diesen Datensatz verwerfen'],
  dropOneHelp: [
    (behind: string) =>
      `Its effect never happens, and this cannot be taken back. ${behind} records behind it then go on.`,
    (behind: string) =>
      `Seine Wirkung tritt nie ein, und das lässt sich nicht zurücknehmen. ${behind} Datensätze dahinter laufen dann weiter.`,
  ],
  failedAgain: [
    'It was handled again, and failed again. “Why” has its reason.',
    'Er wurde erneut verarbeitet und ist wieder gescheitert. Unter „Grund“ steht, warum.',
  ],
  gone: ['This record is not parked any more', 'Dieser Datensatz ist nicht mehr geparkt'],
  goneHelp: ['It was handled, or dropped.', 'Er wurde verarbeitet oder verworfen.'],
  dropped: ['The record was dropped.', 'Der Datensatz wurde verworfen.'],
  dropAll: ['Drop all of these', 'Alle diese verwerfen'],
  dropMany: [
    (service: string) => `Drop the records of ${service}`,
    (service: string) => `Datensätze von ${service} verwerfen`,
  ],
  dropManyHelp: [
    'The effect of all records of this service that fit the filters never happens, and this cannot be taken back.',
    'Die Wirkung aller Datensätze dieses Dienstes, die zu den Filtern passen, tritt nie ein, und das lässt sich nicht zurücknehmen.',
  ],
  stopped: [
    'It stopped before the end: do it again for the rest.',
    'Es endete vorher: Wiederholen Sie es für die übrigen.',
  ],
  droppedMany: [
    (n: string, left: string) => `${n} were dropped; ${left} stay behind others, or are being handled.`,
    (n: string, left: string) =>
      `${n} wurden verworfen; ${left} bleiben hinter anderen oder werden gerade verarbeitet.`,
  ],
});
