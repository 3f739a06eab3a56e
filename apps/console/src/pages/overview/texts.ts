import { texts } from '../../language/texts';

export const overviewTexts = texts(
  {
    title: 'Overview',
    open: 'Open requests',
    overdue: 'Overdue',
    week: 'Due within 7 days',
    atRisk: 'At risk',
    pending: 'Pending',
    inProgress: 'In progress',
    more: (n: string) => `${n} or more`,
  },
  {
    title: 'Überblick',
    open: 'Offene Anfragen',
    overdue: 'Frist überschritten',
    week: 'Frist innerhalb von 7 Tagen',
    atRisk: 'Frist gefährdet',
    pending: 'Wartend',
    inProgress: 'In Bearbeitung',
    more: (n) => `${n} oder mehr`,
  },
);
