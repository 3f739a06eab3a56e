import { texts } from '../language/texts';

export const participantTexts = texts({
  title: ['Participants', 'Beteiligte Systeme'],
  intro: [
    'Systems outside the service that hold data of the same people, and report their share of each request.',
    'Systeme außerhalb des Dienstes, die Daten derselben Personen halten und ihren Anteil an jeder Anfrage melden.',
  ],
  empty: ['No participant is registered', 'Kein System ist angemeldet'],
  emptyHelp: [
    'Register one with `dsr participants add`. Until then the service fulfils requests by itself.',
    'Melden Sie eines mit `dsr participants add` an. Bis dahin erfüllt der Dienst Anfragen selbst.',
  ],
  every: ['every type', 'alle Arten'],
  columns: {
    name: ['Participant', 'System'],
    workspace: ['Workspace', 'Arbeitsbereich'],
    domain: ['Domain', 'Domain'],
    types: ['Takes part in', 'Beteiligt an'],
    identities: ['Identity types', 'Arten von Kennungen'],
    created: ['Registered', 'Angemeldet'],
  },
});
