import { IsString, Length, Matches } from 'class-validator';

const LINE = /^\P{Cc}*$/u;

export const OneLine = (): PropertyDecorator =>
  Matches(LINE, { message: '$property must be one line, without control characters' });

/** Why an operator decides. */
export class OperatorDecision {
  @IsString()
  @Length(1, 256)
  @OneLine()
  reason!: string;
}
