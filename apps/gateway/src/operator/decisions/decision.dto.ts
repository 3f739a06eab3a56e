import { IsString, Length, Matches } from 'class-validator';

/** One line. */
export const LINE = /^\P{Cc}*$/u;

/** Why an operator decides. */
export class OperatorDecision {
  @IsString()
  @Length(1, 256)
  @Matches(LINE)
  reason!: string;
}
