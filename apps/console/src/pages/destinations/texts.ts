import { texts } from '../../language/texts';

export const destinationTexts = texts({
  title: ['Destinations', 'Empfänger'],
  empty: ['No callback has been sent yet', 'Es wurde noch kein Rückruf gesendet'],
  emptyHelp: [
    'Each host that receives callbacks appears here with its first attempt.',
    'Jeder Rechner, der Rückrufe empfängt, erscheint hier mit dem ersten Versuch.',
  ],
  one: [(host: string) => `Destination ${host}`, (host: string) => `Empfänger ${host}`],
  columns: {
    host: ['Host', 'Rechner'],
    workspace: ['Workspace', 'Arbeitsbereich'],
    state: ['State', 'Zustand'],
    outcome: ['Last attempt', 'Letzter Versuch'],
    answer: ['Answer', 'Antwort'],
    at: ['At', 'Um'],
    delivered: ['Last delivered', 'Zuletzt zugestellt'],
    failing: ['Failing since', 'Fehler seit'],
    paused: ['Paused until', 'Pausiert bis'],
    waiting: ['Waiting', 'Wartend'],
    next: ['Next attempt', 'Nächster Versuch'],
  },
  state: {
    ok: ['delivers', 'nimmt an'],
    failing: ['fails', 'scheitert'],
    paused: ['paused', 'pausiert'],
  },
  outcome: {
    delivered: ['delivered', 'zugestellt'],
    rejected: ['refused', 'abgelehnt'],
    gone: ['gone for good', 'endgültig entfernt'],
    unreachable: ['not reached', 'nicht erreicht'],
  },
  atLeast: [(n: string) => `${n} or more`, (n: string) => `${n} oder mehr`],
  hostHelp: [
    'A keyed hash stands for the name of a host, because callback URLs are sealed.',
    'Statt des Rechnernamens steht eine verschlüsselte Prüfsumme, weil Rückrufadressen versiegelt sind.',
  ],
  pausedHelp: [
    'A host that was unreachable again and again gets single probes until one succeeds.',
    'Ein Rechner, der immer wieder nicht erreichbar war, erhält einzelne Proben, bis eine gelingt.',
  ],
  waiting: ['What waits for it', 'Was auf ihn wartet'],
  nothingWaits: ['Nothing waits for it.', 'Nichts wartet auf ihn.'],
  request: {
    id: ['Request', 'Anfrage'],
    destination: ['URL (hash)', 'Adresse (Prüfsumme)'],
    callbacks: ['Callbacks', 'Rückrufe'],
    since: ['Undelivered since', 'Nicht zugestellt seit'],
    next: ['Next attempt', 'Nächster Versuch'],
    attempts: ['Failed attempts', 'Fehlversuche'],
    failing: ['Failing since', 'Fehler seit'],
    postponed: ['Held back by the pause', 'Durch die Pause zurückgehalten'],
  },
  yes: ['yes', 'ja'],
  no: ['no', 'nein'],
});
