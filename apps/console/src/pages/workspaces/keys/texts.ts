import { texts } from '../../../language/texts';

export const keyTexts = texts({
  title: ['API keys', 'API-Schlüssel'],
  none: [
    'There is no key: nobody can call for this workspace.',
    'Es gibt keinen Schlüssel: Niemand kann für diesen Arbeitsbereich zugreifen.',
  ],
  columns: {
    key: ['Key', 'Schlüssel'],
    state: ['State', 'Zustand'],
    scopes: ['Gives access to', 'Gibt Zugang zu'],
    created: ['Created', 'Angelegt'],
    expires: ['Expires', 'Läuft ab'],
    revoked: ['Revoked', 'Widerrufen'],
    actions: ['Actions', 'Aktionen'],
  },
  state: {
    active: ['in force', 'gültig'],
    expired: ['expired', 'abgelaufen'],
    revoked: ['revoked', 'widerrufen'],
  },
  scope: {
    dsr: ['requests', 'Anfragen'],
    ingest: ['data', 'Daten'],
  },
  make: ['Make a key', 'Schlüssel anlegen'],
  makeHelp: [
    'It works at once. Give every calling system its own key, so that one can be stopped alone.',
    'Er gilt sofort. Geben Sie jedem System einen eigenen, damit sich einer allein sperren lässt.',
  ],
  rotate: ['Rotate', 'Erneuern'],
  rotateOne: [(key: string) => `Rotate the key ${key}`, (key: string) => `Schlüssel ${key} erneuern`],
  rotateHelp: [
    'A second key with the same access is made. The old one goes on until the overlap ends.',
    'Ein zweiter Schlüssel mit demselben Zugang entsteht. Der alte gilt, bis die Überlappung endet.',
  ],
  revoke: ['Revoke', 'Widerrufen'],
  revokeOne: [(key: string) => `Revoke the key ${key}`, (key: string) => `Schlüssel ${key} widerrufen`],
  revokeHelp: [
    'Its calls are refused within 30 seconds. This cannot be taken back.',
    'Seine Aufrufe werden binnen 30 Sekunden abgelehnt. Das lässt sich nicht zurücknehmen.',
  ],
  expiresIn: ['Expires in', 'Läuft ab in'],
  expiresInHelp: [
    'Such as 90d or 24h. Empty: it does not expire.',
    'Zum Beispiel 90d oder 24h. Leer: Er läuft nicht ab.',
  ],
  overlap: ['Overlap', 'Überlappung'],
  overlapHelp: [
    'How long the old key goes on, such as 24h.',
    'Wie lange der alte Schlüssel weiter gilt, zum Beispiel 24h.',
  ],
  made: ['The new key', 'Der neue Schlüssel'],
  madeHelp: [
    'This is the only time that the secret is shown. Hand it over by a secret store, not by mail.',
    'Das Geheimnis wird nur dieses eine Mal gezeigt. Übergeben Sie es über einen Geheimnisspeicher, nicht per E-Mail.',
  ],
  key: ['Key', 'Schlüssel'],
  secret: ['Secret', 'Geheimnis'],
  copy: ['Copy', 'Kopieren'],
  notCopied: ['It was not copied', 'Es wurde nicht kopiert'],
  notCopiedHelp: [
    'This browser does not let the page copy. Select the text, and copy it yourself.',
    'Dieser Browser lässt die Seite nicht kopieren. Markieren Sie den Text, und kopieren Sie ihn selbst.',
  ],
  copied: ['Copied', 'Kopiert'],
  done: ['I have kept it', 'Ich habe es verwahrt'],
});
