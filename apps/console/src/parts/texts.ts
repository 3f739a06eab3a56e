import { texts } from '../language/texts';

export const partsTexts = texts(
  {
    loading: 'Loading…',
    retry: 'Try again',
    requestId: (id: string) => `Id of this call in the logs: ${id}`,
    problem: {
      offline: 'The service does not answer',
      offlineHelp: 'Check whether it runs and whether you are online. What you see may be old.',
      forbidden: 'Your roles do not allow this',
      forbiddenHelp: 'Ask the administrator of the roles (OPERATOR_ROLES) for one that does, then sign in again.',
      missing: 'It does not exist',
      missingHelp:
        'Check the address, or search for it. It may also belong to a workspace that your roles do not reach.',
      renewed: 'Your session was renewed in another tab',
      renewedHelp: 'This page knows it now: try again.',
      changed: 'It changed meanwhile',
      changedHelp: 'Go back, look at it again, and decide then.',
      busy: 'Too many calls',
      busyHelp: (seconds: number) => `Try again in ${seconds} s.`,
      away: 'A part of the service is away',
      awayHelp: 'It is tried again by itself. The page System shows what is away.',
      other: 'The service refused this',
      otherHelp: 'What it says:',
    },
  },
  {
    loading: 'Wird geladen …',
    retry: 'Noch einmal versuchen',
    requestId: (id) => `Kennung dieses Aufrufs in den Protokollen: ${id}`,
    problem: {
      offline: 'Der Dienst antwortet nicht',
      offlineHelp: 'Prüfen Sie, ob er läuft und ob Sie online sind. Was Sie sehen, kann veraltet sein.',
      forbidden: 'Ihre Rollen erlauben das nicht',
      forbiddenHelp:
        'Bitten Sie die Stelle, die Rollen zuordnet (OPERATOR_ROLES), um eine passende, und melden Sie sich neu an.',
      missing: 'Das gibt es nicht',
      missingHelp:
        'Prüfen Sie die Adresse oder suchen Sie danach. Es kann auch zu einem Arbeitsbereich gehören, den Ihre Rollen nicht umfassen.',
      renewed: 'Ihre Sitzung wurde in einem anderen Tab erneuert',
      renewedHelp: 'Diese Seite kennt sie jetzt: Versuchen Sie es noch einmal.',
      changed: 'Es hat sich inzwischen geändert',
      changedHelp: 'Gehen Sie zurück, sehen Sie es sich noch einmal an, und entscheiden Sie dann.',
      busy: 'Zu viele Aufrufe',
      busyHelp: (seconds) => `Versuchen Sie es in ${seconds} s noch einmal.`,
      away: 'Ein Teil des Dienstes ist nicht erreichbar',
      awayHelp: 'Es wird von selbst erneut versucht. Die Seite System zeigt, was fehlt.',
      other: 'Der Dienst hat das abgelehnt',
      otherHelp: 'Er sagt dazu:',
    },
  },
);
