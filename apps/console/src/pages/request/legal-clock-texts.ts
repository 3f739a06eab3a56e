import { texts } from '../../language/texts';

export const clockTexts = texts(
  {
    title: 'Legal clock',
    none: 'No legal date was counted for this request.',
    since: 'Counts from',
    due: 'Legal date',
    first: 'Before the extension',
    extended: 'Extended',
    by: (role: string) => `by a person with the role ${role}`,
    atRisk: 'At risk from',
    state: 'State',
    passed: (percent: string) => `${percent} % of the time has passed`,
  },
  {
    title: 'Gesetzliche Frist',
    none: 'Für diese Anfrage wurde keine gesetzliche Frist gezählt.',
    since: 'Gezählt ab',
    due: 'Frist',
    first: 'Vor der Verlängerung',
    extended: 'Verlängert',
    by: (role) => `durch eine Person mit der Rolle ${role}`,
    atRisk: 'Gefährdet ab',
    state: 'Stand',
    passed: (percent) => `${percent} % der Zeit sind vergangen`,
  },
);
