import { texts } from '../../language/texts';

export const requestsTexts = texts({
  title: ['Requests', 'Anfragen'],
  empty: ['There are no requests yet', 'Es gibt noch keine Anfragen'],
  emptyHelp: [
    'They appear here as soon as a controller creates one.',
    'Sie erscheinen hier, sobald ein Verantwortlicher eine stellt.',
  ],
  columns: {
    id: ['Request', 'Anfrage'],
    workspace: ['Workspace', 'Arbeitsbereich'],
    controller: ['Controller', 'Verantwortlicher'],
    type: ['Type', 'Art'],
    status: ['Status', 'Status'],
    regulation: ['Law', 'Gesetz'],
    received: ['Received', 'Eingegangen'],
    due: ['Legal date', 'Gesetzliche Frist'],
    legal: ['Legal state', 'Stand zur Frist'],
    ended: ['Ended', 'Beendet'],
    callbacks: ['Callbacks', 'Rückrufe'],
  },
  filters: {
    group: ['Group (with a workspace)', 'Gruppe (mit Arbeitsbereich)'],
    overdue: ['Due', 'Frist'],
    order: ['Order', 'Reihenfolge'],
    callbacks: ['Callbacks', 'Rückrufe'],
    age: ['Received', 'Eingegangen'],
    ended: ['Ended', 'Beendet'],
    from: ['Received from', 'Eingegangen ab'],
    to: ['Received to', 'Eingegangen bis'],
  },
  due: {
    overdue: ['overdue', 'überschritten'],
    '1d': ['within a day', 'innerhalb eines Tages'],
    '7d': ['within 7 days', 'innerhalb von 7 Tagen'],
    '30d': ['within 30 days', 'innerhalb von 30 Tagen'],
  },
  order: {
    received: ['newest first', 'neueste zuerst'],
    due: ['by legal date', 'nach Frist'],
    ended: ['last ended first', 'zuletzt beendete zuerst'],
  },
  callbacks: {
    failing: ['failing', 'scheitern'],
  },
  age: {
    '24h': ['in 24 hours', 'in 24 Stunden'],
    '7d': ['in 7 days', 'in 7 Tagen'],
    'over 7d': ['over 7 days ago', 'vor über 7 Tagen'],
    'over 30d': ['over 30 days ago', 'vor über 30 Tagen'],
    'over 60d': ['over 60 days ago', 'vor über 60 Tagen'],
  },
  ended: {
    '24h': ['in 24 hours', 'in 24 Stunden'],
    '7d': ['in 7 days', 'in 7 Tagen'],
    '30d': ['in 30 days', 'in 30 Tagen'],
  },
});
