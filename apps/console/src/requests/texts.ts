import { texts } from '../language/texts';

/** The words of requests, wherever they are shown. */
export const requestWords = texts(
  {
    status: { pending: 'pending', in_progress: 'in progress', completed: 'completed', cancelled: 'cancelled' },
    type: { access: 'access', portability: 'portability', erasure: 'erasure' },
    regulation: { gdpr: 'GDPR', ccpa: 'CCPA' },
    legal: { on_track: 'on track', at_risk: 'at risk', overdue: 'overdue' },
  },
  {
    status: { pending: 'wartet', in_progress: 'in Arbeit', completed: 'abgeschlossen', cancelled: 'abgebrochen' },
    type: { access: 'Auskunft', portability: 'Übertragung', erasure: 'Löschung' },
    regulation: { gdpr: 'DSGVO', ccpa: 'CCPA' },
    legal: { on_track: 'im Plan', at_risk: 'gefährdet', overdue: 'überschritten' },
  },
);
