import { KIND_FILTERS, type KindFilter } from '@opendsr-service/messaging';
import { IsIn, IsOptional, IsString, IsUUID, Length } from 'class-validator';
import { OneLine, OperatorDecision } from '../decisions/decision.dto';

/** Which records are handled again or dropped, and why. */
export class ManyRecords extends OperatorDecision {
  @IsOptional()
  @IsString()
  @Length(1, 63)
  workspace?: string | null;

  @IsOptional()
  @IsUUID()
  subject_request_id?: string | null;

  @IsOptional()
  @IsString()
  @Length(1, 256)
  @OneLine()
  parked_reason?: string | null;

  @IsOptional()
  @IsIn(KIND_FILTERS)
  kind?: KindFilter | null;

  @IsOptional()
  @IsString()
  @Length(1, 256)
  @OneLine()
  key?: string | null;

  @IsOptional()
  @IsString()
  @Length(1, 512)
  cursor?: string | null;
}
