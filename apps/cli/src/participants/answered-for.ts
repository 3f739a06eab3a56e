import { optional } from '../options';
import { line } from './participant-options';

/** Who answers for a change, and why. The audit trail keeps both in clear: a role or a team, and no person. */
export const answeredFor = { by: optional('ROLE', line), because: optional('TEXT', line) };

export interface AnsweredFor {
  readonly by?: string | undefined;
  readonly because?: string | undefined;
}

/** The fields of an entry of the audit trail. Where no role is named, it is the tool. */
export const answerOf = ({ by = 'dsr', because }: AnsweredFor) => ({ by, ...(because !== undefined && { because }) });
