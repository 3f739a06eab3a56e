import { texts } from '../../../language/texts';

export const deliveryTexts = texts(
  {
    title: 'Callbacks',
    none: 'No callback URL was given, or none has a callback yet.',
    status: 'Reports',
    state: 'State',
    states: { waiting: 'waits', delivered: 'taken', given_up: 'given up' },
    reasons: { gone: 'receiver is gone', exhausted: 'tried too often', key_destroyed: 'key destroyed' },
    attempts: 'Attempts',
    next: 'Next attempt',
    destination: 'Destination (hash)',
    delivery: 'Delivery id',
  },
  {
    title: 'Rückrufe',
    none: 'Es wurde keine Adresse für Rückrufe genannt, oder es gibt noch keinen Rückruf.',
    status: 'Meldet',
    state: 'Stand',
    states: { waiting: 'wartet', delivered: 'angenommen', given_up: 'aufgegeben' },
    reasons: {
      gone: 'Empfänger gibt es nicht mehr',
      exhausted: 'zu oft versucht',
      key_destroyed: 'Schlüssel vernichtet',
    },
    attempts: 'Versuche',
    next: 'Nächster Versuch',
    destination: 'Ziel (Hash)',
    delivery: 'Kennung der Zustellung',
  },
);
