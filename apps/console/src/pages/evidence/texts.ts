import { texts } from '../../language/texts';

export const evidenceTexts = texts({
  title: ['Evidence', 'Nachweise'],
  intro: [
    'The public log to which this service can only append: receipts, waivers, extensions, reveals and attestations, without personal data.',
    'Das öffentliche Protokoll, an das dieser Dienst nur anhängen kann: Empfangsbestätigungen, Verzichte, Verlängerungen, Aufdeckungen und Bescheinigungen, ohne personenbezogene Daten.',
  ],
  log: ['The log', 'Das Protokoll'],
  size: ['Entries', 'Einträge'],
  uncovered: ['Oldest entry without a checkpoint', 'Ältester Eintrag ohne Prüfpunkt'],
  covered: ['every entry is covered', 'jeder Eintrag ist erfasst'],
  key: ['Verifier key', 'Prüfschlüssel'],
  checkpoint: ['Checkpoint', 'Prüfpunkt'],
  noCheckpoint: [
    'There is no checkpoint yet: the log is empty.',
    'Es gibt noch keinen Prüfpunkt: Das Protokoll ist leer.',
  ],
  download: ['Save checkpoint and key', 'Prüfpunkt und Schlüssel speichern'],
  signature: ['Signature of the log', 'Signatur des Protokolls'],
  valid: ['valid, checked in this browser', 'gültig, in diesem Browser geprüft'],
  invalid: [
    'NOT valid: the checkpoint is not signed by this key',
    'NICHT gültig: Der Prüfpunkt ist nicht mit diesem Schlüssel signiert',
  ],
  unknown: ['not checked: this browser has no Ed25519', 'nicht geprüft: Dieser Browser kennt kein Ed25519'],
  witnesses: ['Witnesses', 'Zeugen'],
  noWitness: [
    'No witness is set up (TRANSPARENCY_WITNESSES): a second history would need the key of the log alone.',
    'Kein Zeuge ist eingerichtet (TRANSPARENCY_WITNESSES): Eine zweite Geschichte bräuchte nur den Schlüssel des Protokolls.',
  ],
  witness: ['Witness', 'Zeuge'],
  cosigned: ['Has ever cosigned', 'Hat je gegengezeichnet'],
  since: ['Cosigned last, or was asked first', 'Zuletzt gegengezeichnet, sonst zuerst gefragt'],
  reason: ['Why not the last time', 'Warum zuletzt nicht'],
  yes: ['yes', 'ja'],
  no: ['no', 'nein'],
  range: ['Audit a range', 'Einen Bereich nachprüfen'],
  rangeHelp: [
    (most: string) =>
      `This browser reads the entries and the hashes of the log, and proves that each entry stands at its place under the checkpoint. Up to ${most} entries at a time.`,
    (most: string) =>
      `Dieser Browser liest die Einträge und Hashwerte des Protokolls und beweist, dass jeder Eintrag unter dem Prüfpunkt an seinem Platz steht. Bis zu ${most} Einträge auf einmal.`,
  ],
  from: ['From entry', 'Ab Eintrag'],
  fromHelp: ['The first one is 0.', 'Der erste ist 0.'],
  to: ['Before entry', 'Vor Eintrag'],
  toHelp: [
    (size: string) => `At most ${size}, the size of the log.`,
    (size: string) => `Höchstens ${size}, so groß ist das Protokoll.`,
  ],
  auditRange: ['Audit in this browser', 'In diesem Browser nachprüfen'],
  auditing: ['Reading and computing…', 'Wird gelesen und berechnet …'],
  sound: [
    (n: string, begin: string, end: string) =>
      `Sound: ${n} entries, from ${begin} to before ${end}, stand at their places under the checkpoint`,
    (n: string, begin: string, end: string) =>
      `Stimmt: ${n} Einträge, von ${begin} bis vor ${end}, stehen unter dem Prüfpunkt an ihrem Platz`,
  ],
  unsound: [
    'NOT sound: keep the checkpoint, and tell whoever watches the log',
    'Stimmt NICHT: Bewahren Sie den Prüfpunkt auf und sagen Sie es dem, der das Protokoll überwacht',
  ],
  faults: {
    missing: [
      (where: string) => `A file of the log is missing, or has another length than the checkpoint says: ${where}`,
      (where: string) => `Eine Datei des Protokolls fehlt oder hat eine andere Länge, als der Prüfpunkt sagt: ${where}`,
    ],
    root: [
      (where: string) => `The hashes of the log do not have the root of the checkpoint over ${where} entries.`,
      (where: string) => `Die Hashwerte des Protokolls haben nicht die Wurzel des Prüfpunkts über ${where} Einträge.`,
    ],
    tile: [
      (where: string) => `A tile of hashes does not have its hash in the tile above it: ${where}`,
      (where: string) => `Eine Kachel von Hashwerten hat nicht ihren Hashwert in der Kachel darüber: ${where}`,
    ],
    entry: [
      (where: string) => `Entry ${where} does not have its hash: it was changed.`,
      (where: string) => `Eintrag ${where} hat nicht seinen Hashwert: Er wurde geändert.`,
    ],
  },
  kinds: ['Entries by kind', 'Einträge nach Art'],
  kind: ['Kind', 'Art'],
  saveEntries: ['Save these entries', 'Diese Einträge speichern'],
  audit: ['Audit all of it', 'Alles nachprüfen'],
  auditHelp: [
    'The full audit reads every entry, and compares with the checkpoint that it saw the last time. Run it where those who run the service cannot write, and keep its file: it makes a rewritten history visible.',
    'Die volle Prüfung liest jeden Eintrag und vergleicht mit dem Prüfpunkt, den sie zuletzt gesehen hat. Führen Sie sie dort aus, wo der Betreiber nicht schreiben kann, und bewahren Sie ihre Datei auf: Sie macht eine umgeschriebene Geschichte sichtbar.',
  ],
});
