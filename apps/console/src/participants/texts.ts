import { texts } from '../language/texts';

export const participantTexts = texts(
  {
    title: 'Participants',
    intro: 'Systems outside the service that hold data of the same people, and report their share of each request.',
    empty: 'No participant is registered',
    emptyHelp: 'Register one with `dsr participants add`. Until then the service fulfils requests by itself.',
    every: 'every type',
    columns: {
      name: 'Participant',
      workspace: 'Workspace',
      domain: 'Domain',
      types: 'Takes part in',
      identities: 'Identity types',
      created: 'Registered',
    },
  },
  {
    title: 'Beteiligte Systeme',
    intro:
      'Systeme außerhalb des Dienstes, die Daten derselben Personen halten und ihren Anteil an jeder Anfrage melden.',
    empty: 'Kein System ist angemeldet',
    emptyHelp: 'Melden Sie eines mit `dsr participants add` an. Bis dahin erfüllt der Dienst Anfragen selbst.',
    every: 'alle Arten',
    columns: {
      name: 'System',
      workspace: 'Arbeitsbereich',
      domain: 'Domain',
      types: 'Beteiligt an',
      identities: 'Arten von Kennungen',
      created: 'Angemeldet',
    },
  },
);
