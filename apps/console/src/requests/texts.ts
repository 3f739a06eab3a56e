import { texts } from '../language/texts';

/** The words of requests, wherever they are shown. */
export const requestWords = texts({
  status: {
    pending: ['pending', 'wartet'],
    in_progress: ['in progress', 'in Arbeit'],
    completed: ['completed', 'abgeschlossen'],
    cancelled: ['cancelled', 'abgebrochen'],
  },
  type: {
    access: ['access', 'Auskunft'],
    portability: ['portability', 'Übertragung'],
    erasure: ['erasure', 'Löschung'],
  },
  regulation: {
    gdpr: ['GDPR', 'DSGVO'],
    ccpa: ['CCPA', 'CCPA'],
  },
  /** Of a participant in a request. */
  share: {
    pending: ['pending', 'steht aus'],
    sent: ['sent', 'gesendet'],
    completed: ['completed', 'abgeschlossen'],
    skipped: ['skipped', 'übersprungen'],
    failed: ['failed', 'fehlgeschlagen'],
  },
  legal: {
    on_track: ['on track', 'im Plan'],
    at_risk: ['at risk', 'gefährdet'],
    overdue: ['overdue', 'überschritten'],
    kept: ['kept', 'eingehalten'],
    missed: ['missed', 'versäumt'],
  },
});
