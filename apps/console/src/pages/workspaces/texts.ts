import { texts } from '../../language/texts';

export const workspaceTexts = texts({
  title: ['Workspaces & keys', 'Arbeitsbereiche & Schlüssel'],
  empty: ['There is no workspace that your roles reach', 'Es gibt keinen Arbeitsbereich, den Ihre Rollen umfassen'],
  emptyHelp: [
    'An administrator makes one with `dsr workspaces create`.',
    'Eine Verwalterin legt einen mit `dsr workspaces create` an.',
  ],
  one: [(workspace: string) => `Workspace ${workspace}`, (workspace: string) => `Arbeitsbereich ${workspace}`],
  columns: {
    workspace: ['Workspace', 'Arbeitsbereich'],
    name: ['Name', 'Name'],
    controller: ['Controller id', 'Kennung des Verantwortlichen'],
    class: ['Class', 'Klasse'],
    created: ['Created', 'Angelegt'],
  },
  afterErasure: ['New data of erased persons', 'Neue Daten gelöschter Personen'],
  deviceMatching: ['Matching by device', 'Zuordnung über Geräte'],
  legal: ['How legal periods are counted', 'Wie gesetzliche Fristen gezählt werden'],
  timeZone: ['Time zone', 'Zeitzone'],
  holidays: ['Public holidays', 'Feiertage'],
  gdprDays: ['Own period, GDPR', 'Eigene Frist, DSGVO'],
  ccpaDays: ['Own period, CCPA', 'Eigene Frist, CCPA'],
  clockStart: ['Counted from', 'Gezählt ab'],
  clockStarts: {
    submitted: ['when the data subject asked', 'der Anfrage der betroffenen Person'],
    received: ['the receipt', 'dem Eingang'],
  },
  days: [(n: string) => `${n} days`, (n: string) => `${n} Tage`],
  asLaw: ['as the law has it', 'wie im Gesetz'],
  none: ['none', 'keine'],
  limits: ['Limits', 'Grenzen'],
  limit: {
    name: ['Limit', 'Grenze'],
    value: ['Value', 'Wert'],
    unlimited: ['no limit', 'keine Grenze'],
  },
  participants: ['Participants', 'Beteiligte Systeme'],
  noParticipants: [
    'No participant is registered: the service fulfils requests by itself.',
    'Kein System ist angemeldet: Der Dienst erfüllt Anfragen selbst.',
  ],
  deviceMatchings: {
    anonymous: ['profiles without a login', 'Profile ohne Anmeldung'],
    all: ['all profiles of the device', 'alle Profile des Geräts'],
  },
  afterErasures: {
    accept: ['taken', 'angenommen'],
    drop: ['dropped', 'verworfen'],
    reject: ['refused', 'abgelehnt'],
  },
});
