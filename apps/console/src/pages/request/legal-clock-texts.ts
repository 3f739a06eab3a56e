import { texts } from '../../language/texts';

export const clockTexts = texts({
  title: ['Legal clock', 'Gesetzliche Frist'],
  none: ['No legal date was counted for this request.', 'Für diese Anfrage wurde keine gesetzliche Frist gezählt.'],
  since: ['Counts from', 'Gezählt ab'],
  due: ['Legal date', 'Frist'],
  first: ['Before the extension', 'Vor der Verlängerung'],
  extended: ['Extended', 'Verlängert'],
  by: [
    (role: string) => `by a person with the role ${role}`,
    (role: string) => `durch eine Person mit der Rolle ${role}`,
  ],
  atRisk: ['At risk from', 'Gefährdet ab'],
  state: ['State', 'Stand'],
  passed: [
    (percent: string) => `${percent} % of the time has passed`,
    (percent: string) => `${percent} % der Zeit sind vergangen`,
  ],
});
