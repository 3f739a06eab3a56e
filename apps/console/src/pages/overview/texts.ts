import { texts } from '../../language/texts';

export const overviewTexts = texts(
  {
    title: 'Overview',
    open: 'Open requests',
    overdue: 'Overdue',
    due_within_week: 'Due within 7 days',
    at_risk: 'At risk',
    pending: 'Pending',
    in_progress: 'In progress',
    more: (n: string) => `${n} or more`,
  },
  {
    title: 'Überblick',
    open: 'Offene Anfragen',
    overdue: 'Frist überschritten',
    due_within_week: 'Frist innerhalb von 7 Tagen',
    at_risk: 'Frist gefährdet',
    pending: 'Wartend',
    in_progress: 'In Bearbeitung',
    more: (n) => `${n} oder mehr`,
  },
);
