import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { SCOPES, type Scope } from '@opendsr-service/workspaces';
import { OperatorDecision } from '../decisions/decision.dto';

/** A duration such as 90d. */
const DURATION = /^\d{1,12}(ms|s|min|h|d)$/;

/** Why and for what a key is made. */
export class CreateKey extends OperatorDecision {
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes!: Scope[];

  @IsOptional()
  @IsString()
  @Matches(DURATION)
  expires_in?: string | null;
}

/** Why and how a key is replaced. */
export class RotateKey extends OperatorDecision {
  @IsOptional()
  @IsString()
  @Matches(DURATION)
  overlap?: string | null;

  @IsOptional()
  @IsString()
  @Matches(DURATION)
  expires_in?: string | null;
}
