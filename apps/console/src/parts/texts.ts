import { texts } from '../language/texts';

export const partsTexts = texts({
  loading: ['Loading…', 'Wird geladen …'],
  old: ['What you see may be old.', 'Was Sie sehen, kann veraltet sein.'],
  notice: {
    danger: ['Danger alert:', 'Fehler:'],
    info: ['Info alert:', 'Hinweis:'],
    success: ['Success alert:', 'Erfolg:'],
    warning: ['Warning alert:', 'Warnung:'],
  },
  retry: ['Try again', 'Noch einmal versuchen'],
  requestId: [
    (id: string) => `Id of this call in the logs: ${id}`,
    (id: string) => `Kennung dieses Aufrufs in den Protokollen: ${id}`,
  ],
  problem: {
    offline: ['The service does not answer', 'Der Dienst antwortet nicht'],
    offlineHelp: [
      'Check whether it runs and whether you are online.',
      'Prüfen Sie, ob er läuft und ob Sie online sind.',
    ],
    forbidden: ['Your roles do not allow this', 'Ihre Rollen erlauben das nicht'],
    forbiddenHelp: [
      'Ask the administrator of the roles (OPERATOR_ROLES) for one that does, then sign in again.',
      'Bitten Sie die Stelle, die Rollen zuordnet (OPERATOR_ROLES), um eine passende, und melden Sie sich neu an.',
    ],
    missing: ['It does not exist', 'Das gibt es nicht'],
    missingHelp: [
      'Check the address, or search for it. It may also belong to a workspace that your roles do not reach.',
      'Prüfen Sie die Adresse oder suchen Sie danach. Es kann auch zu einem Arbeitsbereich gehören, den Ihre Rollen nicht umfassen.',
    ],
    renewed: ['Your session was renewed in another tab', 'Ihre Sitzung wurde in einem anderen Tab erneuert'],
    renewedHelp: ['This page knows it now: try again.', 'Diese Seite kennt sie jetzt: Versuchen Sie es noch einmal.'],
    changed: ['It changed meanwhile', 'Es hat sich inzwischen geändert'],
    changedHelp: [
      'Go back, look at it again, and decide then.',
      'Gehen Sie zurück, sehen Sie es sich noch einmal an, und entscheiden Sie dann.',
    ],
    busy: ['Too many calls', 'Zu viele Aufrufe'],
    busyHelp: [
      (seconds: number) => `Try again in ${seconds} s.`,
      (seconds: number) => `Versuchen Sie es in ${seconds} s noch einmal.`,
    ],
    away: ['A part of the service is away', 'Ein Teil des Dienstes ist nicht erreichbar'],
    awayHelp: ['The page System shows what is away.', 'Die Seite System zeigt, was fehlt.'],
    other: ['The service refused this', 'Der Dienst hat das abgelehnt'],
    otherHelp: ['What it says:', 'Er sagt dazu:'],
  },
});
