import { texts } from '../language/texts';

export const trustTexts = texts({
  title: ['Whom this browser believes', 'Wem dieser Browser glaubt'],
  help: [
    'What is filled in is the word of the service itself. For a proof that does not rest on it, take authority and key from where you trust them. They are kept in this browser.',
    'Eingetragen ist, was der Dienst selbst sagt. Für einen Beweis, der nicht darauf beruht, nehmen Sie Stelle und Schlüssel von dort, wo Sie ihnen vertrauen. Sie bleiben in diesem Browser.',
  ],
  missing: [
    'Choose the authority of the processor’s certificate: browsers do not show pages whom they trust.',
    'Wählen Sie die Stelle, die das Zertifikat ausgestellt hat: Browser sagen Seiten nicht, wem sie vertrauen.',
  ],
  domain: ['Domain of the processor', 'Domain des Auftragsverarbeiters'],
  domainHelp: ['As its certificate names it.', 'Wie sein Zertifikat sie nennt.'],
  logKey: ['Verifier key of the log', 'Prüfschlüssel des Protokolls'],
  logKeyHelp: ['As its operator publishes it: name+id+key.', 'Wie sein Betreiber ihn veröffentlicht: name+id+key.'],
  authority: ['Authorities (PEM file)', 'Zertifizierungsstellen (PEM-Datei)'],
  count: [
    (n: string) => (n === '1' ? '1 authority is trusted' : `${n} authorities are trusted`),
    (n: string) => (n === '1' ? 'Einer Stelle wird vertraut' : `${n} Stellen wird vertraut`),
  ],
  reset: ['Take the word of the service again', 'Wieder nehmen, was der Dienst sagt'],
});
