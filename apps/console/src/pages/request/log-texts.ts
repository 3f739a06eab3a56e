import { texts } from '../../language/texts';

export const logTexts = texts({
  title: ['Entries of the transparency log', 'Einträge des Transparenzprotokolls'],
  none: ['The log has no entry of it yet.', 'Das Protokoll hat noch keinen Eintrag dazu.'],
  index: ['Place', 'Platz'],
  kind: ['Of', 'Über'],
  time: ['Time', 'Zeit'],
  digest: ['SHA-256 of the document', 'SHA-256 des Dokuments'],
  covered: ['In the newest checkpoint', 'Im neuesten Prüfpunkt'],
  yes: ['yes', 'ja'],
  no: ['not yet', 'noch nicht'],
});
