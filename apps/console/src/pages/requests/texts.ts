import { texts } from '../../language/texts';

export const requestsTexts = texts(
  {
    title: 'Requests',
    empty: 'There are no requests yet',
    emptyHelp: 'They appear here as soon as a controller creates one.',
    columns: {
      id: 'Request',
      workspace: 'Workspace',
      controller: 'Controller',
      type: 'Type',
      status: 'Status',
      regulation: 'Law',
      received: 'Received',
      due: 'Legal date',
      legal: 'Legal state',
      ended: 'Ended',
    },
    filters: { id: 'Request id', group: 'Group', overdue: 'Due', order: 'Order', from: 'Received from', to: 'Received to' },
    due: { overdue: 'overdue', '1d': 'within a day', '7d': 'within 7 days', '30d': 'within 30 days' },
    order: { received: 'newest first', due: 'by legal date' },
  },
  {
    title: 'Anfragen',
    empty: 'Es gibt noch keine Anfragen',
    emptyHelp: 'Sie erscheinen hier, sobald ein Verantwortlicher eine stellt.',
    columns: {
      id: 'Anfrage',
      workspace: 'Arbeitsbereich',
      controller: 'Verantwortlicher',
      type: 'Art',
      status: 'Status',
      regulation: 'Gesetz',
      received: 'Eingegangen',
      due: 'Gesetzliche Frist',
      legal: 'Stand zur Frist',
      ended: 'Beendet',
    },
    filters: { id: 'Kennung', group: 'Gruppe', overdue: 'Frist', order: 'Reihenfolge', from: 'Eingegangen ab', to: 'Eingegangen bis' },
    due: { overdue: 'überschritten', '1d': 'innerhalb eines Tages', '7d': 'innerhalb von 7 Tagen', '30d': 'innerhalb von 30 Tagen' },
    order: { received: 'neueste zuerst', due: 'nach Frist' },
  },
);
