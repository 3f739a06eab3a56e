import { texts } from '../language/texts';

export const shellTexts = texts({
  name: ['OpenDSR console', 'OpenDSR-Konsole'],
  skip: ['Skip to the content', 'Zum Inhalt springen'],
  navigation: ['Pages', 'Seiten'],
  openNavigation: ['Show or hide the pages', 'Seiten zeigen oder verbergen'],
  pages: {
    overview: ['Overview', 'Überblick'],
    requests: ['Requests', 'Anfragen'],
    request: ['Request', 'Anfrage'],
    reveals: ['Approvals', 'Freigaben'],
    destinations: ['Destinations', 'Empfänger'],
    destination: ['Destination', 'Empfänger'],
    parked: ['Parked records', 'Geparkte Datensätze'],
    parkedRecord: ['Parked record', 'Geparkter Datensatz'],
    workspaces: ['Workspaces', 'Arbeitsbereiche'],
    workspace: ['Workspace', 'Arbeitsbereich'],
    participants: ['Participants', 'Beteiligte'],
    evidence: ['Evidence', 'Nachweise'],
    audit: ['Audit', 'Prüfprotokoll'],
    system: ['System', 'System'],
    firstRun: ['First steps', 'Erste Schritte'],
  },
  search: ['Search', 'Suchen'],
  searchPlaceholder: ['Request id, controller or workspace', 'Kennung, Verantwortlicher oder Arbeitsbereich'],
  searchByKey: [
    (key: string) => `Request id, controller or workspace (press ${key})`,
    (key: string) => `Kennung, Verantwortlicher oder Arbeitsbereich (Taste ${key})`,
  ],
  searching: ['Searching…', 'Wird gesucht …'],
  notFound: [
    (text: string) => `Nothing has the id or the name “${text}”`,
    (text: string) => `Nichts hat die Kennung oder den Namen „${text}“`,
  ],
  theme: ['Look', 'Aussehen'],
  themes: {
    system: ['As the system', 'Wie das System'],
    light: ['Light', 'Hell'],
    dark: ['Dark', 'Dunkel'],
  },
  language: ['Language', 'Sprache'],
  languages: {
    en: ['English', 'English'],
    de: ['Deutsch', 'Deutsch'],
  },
  signedInAs: [(subject: string) => `Signed in as ${subject}`, (subject: string) => `Angemeldet als ${subject}`],
  everywhere: ['all workspaces', 'alle Arbeitsbereiche'],
  signOut: ['Sign out', 'Abmelden'],
  signOutEverywhere: ['Sign out everywhere', 'Überall abmelden'],
  signIn: {
    title: ['Sign in', 'Anmelden'],
    provider: [
      'Your identity provider says who you are. Afterwards you are back on this page.',
      'Ihr Identitätsanbieter sagt, wer Sie sind. Danach sind Sie wieder auf dieser Seite.',
    ],
    button: ['Sign in', 'Anmelden'],
    sandbox: [
      'This is a sandbox: nobody has a password. Open the link that `npm start` prints; it signs in once.',
      'Dies ist eine Sandbox ohne Passwörter. Öffnen Sie den Link, den `npm start` ausgibt; er meldet einmal an.',
    ],
    sandboxAgain: [
      'It was used already? Start the service again, and it prints a new one.',
      'Schon benutzt? Starten Sie den Dienst neu, dann gibt er einen neuen aus.',
    ],
    ended: [
      'Your session has ended. Check whether what an open dialog asked for was done.',
      'Ihre Sitzung ist zu Ende. Prüfen Sie, ob ausgeführt wurde, was ein offener Dialog verlangte.',
    ],
    used: [
      'This link was used already, or is not of this start of the service.',
      'Dieser Link wurde schon benutzt oder gehört nicht zu diesem Start des Dienstes.',
    ],
    refused: [
      'This sign-in did not succeed: it was refused, took too long, or another one was begun after it. Try again.',
      'Diese Anmeldung ist nicht gelungen: Sie wurde abgelehnt, hat zu lange gedauert, oder danach wurde eine andere begonnen. Versuchen Sie es noch einmal.',
    ],
    away: [
      'The identity provider does not answer. Try again a little later.',
      'Der Identitätsanbieter antwortet nicht. Versuchen Sie es etwas später noch einmal.',
    ],
  },
  unknownPage: ['There is no such page', 'Diese Seite gibt es nicht'],
  unknownPageHelp: ['Check the address, or choose a page.', 'Prüfen Sie die Adresse, oder wählen Sie eine Seite.'],
  broken: ['This page failed', 'Diese Seite ist fehlgeschlagen'],
  brokenHelp: [
    'Read it again. If that does not help, report this to the operator:',
    'Laden Sie sie neu. Hilft das nicht, sagen Sie dem Betreiber, was sie meldet:',
  ],
  reload: ['Read the page again', 'Seite neu laden'],
  keys: ['Keys', 'Tasten'],
  keysOf: [(key: string) => `Keys (${key})`, (key: string) => `Tasten (${key})`],
  keyHelp: {
    search: ['Search', 'Suchen'],
    help: ['These keys', 'Diese Tasten'],
    page: [(page: string) => `Page ${page}`, (page: string) => `Seite ${page}`],
  },
  useKeys: ['Use these keys', 'Diese Tasten benutzen'],
});
