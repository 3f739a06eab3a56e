import { texts } from '../../language/texts';

export const logTexts = texts(
  {
    title: 'Entries of the transparency log',
    none: 'The log has no entry of it yet.',
    index: 'Place',
    kind: 'Of',
    time: 'Time',
    digest: 'SHA-256 of the document',
    covered: 'In the newest checkpoint',
    yes: 'yes',
    no: 'not yet',
  },
  {
    title: 'Einträge des Transparenzprotokolls',
    none: 'Das Protokoll hat noch keinen Eintrag dazu.',
    index: 'Platz',
    kind: 'Über',
    time: 'Zeit',
    digest: 'SHA-256 des Dokuments',
    covered: 'Im neuesten Prüfpunkt',
    yes: 'ja',
    no: 'noch nicht',
  },
);
