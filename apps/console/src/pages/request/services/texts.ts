import { texts } from '../../../language/texts';

export const serviceTexts = texts({
  title: ['In the services', 'In den Diensten'],
  request: {
    title: ['Decisions (request)', 'Entscheidungen (request)'],
    status: ['Status', 'Status'],
    fulfilled: ['everybody has reported', 'alle haben gemeldet'],
    version: ['Last event', 'Letztes Ereignis'],
    unpublished: ['Events not on the log yet', 'Ereignisse noch nicht im Protokoll'],
    awaited: ['Waits for', 'Wartet auf'],
    nobody: ['nobody', 'niemanden'],
  },
  queues: {
    title: ['Queues of callbacks (callback-dispatcher)', 'Warteschlangen der Rückmeldungen (callback-dispatcher)'],
    destination: ['Destination', 'Ziel'],
    waiting: ['Waiting', 'Wartend'],
    next: ['Next attempt', 'Nächster Versuch'],
    failed: ['Failed attempts', 'Fehlversuche'],
    standing: ['Standing', 'Stand'],
    standings: {
      sending: ['is being sent', 'wird gesendet'],
      postponed: ['host unreachable', 'Host nicht erreichbar'],
      gone: ['receiver is gone', 'Empfänger ist weg'],
      idle: ['–', '–'],
    },
    outcome: ['Ended as', 'Endete als'],
    outcomes: {
      delivered: ['taken', 'angenommen'],
      gone: ['receiver is gone', 'Empfänger ist weg'],
      exhausted: ['tried too often', 'zu oft versucht'],
      'key-destroyed': ['key destroyed', 'Schlüssel vernichtet'],
    },
  },
  archive: {
    title: ['Archive (results)', 'Archiv (results)'],
    state: ['State', 'Zustand'],
    states: {
      building: ['is being built', 'wird gebaut'],
      ready: ['ready', 'fertig'],
      empty: ['empty', 'leer'],
      forgotten: ['removed', 'entfernt'],
    },
    built: ['Built', 'Gebaut'],
    expires: ['Link ends', 'Link endet'],
    removed: ['Is removed', 'Wird entfernt'],
    size: ['Size in bytes', 'Größe in Bytes'],
  },
  withdrawal: {
    title: ['Withdrawn archives (results)', 'Zurückgezogene Archive (results)'],
    profiles: ['Erased profiles', 'Gelöschte Profile'],
  },
  erasure: {
    title: ['Erasure (ingestion)', 'Löschung (ingestion)'],
    reported: ['Reported', 'Gemeldet'],
    completed: ['Request completed', 'Anfrage abgeschlossen'],
  },
  work: {
    matched: ['Profiles matched', 'Gefundene Profile'],
    passes: ['Passes', 'Durchläufe'],
    tries: ['Failures in a row', 'Fehler in Folge'],
    due: ['Next work', 'Nächste Arbeit'],
  },
  yes: ['yes', 'ja'],
  no: ['no', 'nein'],
});
