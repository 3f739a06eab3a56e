import { ArrayNotEmpty, ArrayUnique, IsArray, IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { SCOPES, type Scope } from '@opendsr-service/workspaces';
import { OperatorDecision } from '../decisions/decision.dto';

const DURATION = /^\d{1,12}(ms|s|min|h|d)$/;

const Duration = (): PropertyDecorator =>
  Matches(DURATION, { message: '$property must be a duration such as 90d, 24h or 15min' });

/** Why and for what a key is made. */
export class CreateKey extends OperatorDecision {
  @IsArray()
  @ArrayNotEmpty({ message: '$property must name at least one scope' })
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes!: Scope[];

  @IsOptional()
  @IsString()
  @Duration()
  expires_in?: string | null;
}

/** Why and how a key is replaced. */
export class RotateKey extends OperatorDecision {
  @IsOptional()
  @IsString()
  @Duration()
  overlap?: string | null;

  @IsOptional()
  @IsString()
  @Duration()
  expires_in?: string | null;
}
