import { texts } from '../../../language/texts';

export const deliveryTexts = texts({
  title: ['Callbacks', 'Rückrufe'],
  none: [
    'No callback URL was given, or none has a callback yet.',
    'Es wurde keine Adresse für Rückrufe genannt, oder es gibt noch keinen Rückruf.',
  ],
  status: ['Reports', 'Meldet'],
  state: ['State', 'Stand'],
  states: {
    waiting: ['waits', 'wartet'],
    delivered: ['taken', 'angenommen'],
    given_up: ['given up', 'aufgegeben'],
  },
  reasons: {
    gone: ['receiver is gone', 'Empfänger gibt es nicht mehr'],
    exhausted: ['tried too often', 'zu oft versucht'],
    key_destroyed: ['key destroyed', 'Schlüssel vernichtet'],
  },
  attempts: ['Attempts', 'Versuche'],
  next: ['Next attempt', 'Nächster Versuch'],
  destination: ['Destination (hash)', 'Ziel (Hash)'],
  delivery: ['Delivery id', 'Kennung der Zustellung'],
});
