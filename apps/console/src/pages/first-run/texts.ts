import { texts } from '../../language/texts';

export const firstRunTexts = texts({
  title: ['First steps', 'Erste Schritte'],
  intro: [
    'Act as a controller: create a request about an example person, watch it go round, and receive its callbacks on this page. A whole round takes seconds.',
    'Handeln Sie wie ein Verantwortlicher: Stellen Sie eine Anfrage zu einer Beispielperson, sehen Sie zu, wie sie bearbeitet wird, und empfangen Sie ihre Rückrufe auf dieser Seite. Eine ganze Runde dauert Sekunden.',
  ],
  person: ['Person', 'Person'],
  type: ['What the person asks for', 'Was die Person verlangt'],
  create: ['Create the request', 'Anfrage stellen'],
  creating: ['Creating…', 'Wird gestellt …'],
  created: ['Your request', 'Ihre Anfrage'],
  sent: ['What was sent', 'Was gesendet wurde'],
  answered: [
    (status: string) => `What the service answered (${status})`,
    (status: string) => `Was der Dienst geantwortet hat (${status})`,
  ],
  callbacks: ['Callbacks that arrived here', 'Rückrufe, die hier ankamen'],
  noCallbacks: [
    'None yet. The first one comes when the request changes.',
    'Noch keine. Der erste kommt, wenn sich die Anfrage ändert.',
  ],
  callback: [(status: string) => `The request is ${status}`, (status: string) => `Die Anfrage: ${status}`],
  valid: ['Verified: the service signed it', 'Geprüft: Der Dienst hat ihn signiert'],
  invalid: ['Not verified', 'Nicht bestätigt'],
  shown: ['Body and headers', 'Inhalt und Kopfzeilen'],
  checks: ['Checks of this callback', 'Prüfungen dieses Rückrufs'],
  names: {
    headers: ['It has the headers of a signature', 'Er hat die Kopfzeilen einer Signatur'],
    domain: ['It names a processor that is believed', 'Er nennt einen Auftragsverarbeiter, dem geglaubt wird'],
    certificate: ['Discovery names a certificate', 'Discovery nennt ein Zertifikat'],
    chain: ['The certificate leads to the authority of this sandbox', 'Das Zertifikat führt zur Stelle dieser Sandbox'],
    names: ['The certificate is that of the processor', 'Das Zertifikat ist das des Auftragsverarbeiters'],
    dates: ['The certificate is valid now', 'Das Zertifikat ist jetzt gültig'],
    usage: ['The certificate may sign', 'Das Zertifikat darf signieren'],
    signature: ['The signature is over these bytes', 'Die Signatur passt zu diesen Bytes'],
    body: ['The body is that of a callback', 'Der Inhalt ist der eines Rückrufs'],
    url: ['It was meant for this address', 'Er war für diese Adresse bestimmt'],
  },
  next: ['And then?', 'Und dann?'],
  steps: [
    [
      'Create an erasure for the same person, then an access: the archive is empty.',
      'Cancel a request while it is pending, on its page.',
      'Verify its attestation there, once it has ended.',
      'Receive callbacks in a terminal: dsr listen.',
    ].join(' '),
    [
      'Stellen Sie für dieselbe Person eine Löschung, danach eine Auskunft: Das Archiv ist leer.',
      'Brechen Sie eine Anfrage auf ihrer Seite ab, solange sie wartet.',
      'Prüfen Sie dort ihre Bescheinigung, sobald sie beendet ist.',
      'Empfangen Sie Rückrufe in einem Terminal: dsr listen.',
    ].join(' '),
  ],
});
