import { ENVIRONMENTS, type Environment } from '@opendsr-service/contracts';
import { IsIn, IsInt, IsIP, IsObject, IsOptional } from 'class-validator';

/** What identity calls and batches have in common, in either dialect (protocol-notes, "Identity bodies"). Other fields are accepted. */
export class IngestBodyDto {
  @IsOptional()
  @IsObject()
  user_identities?: Record<string, unknown>;

  @IsOptional()
  @IsObject()
  known_identities?: Record<string, unknown>;

  @IsOptional()
  @IsIP()
  ip?: string;

  @IsOptional()
  @IsInt()
  timestamp_unixtime_ms?: number;

  @IsOptional()
  @IsIn(ENVIRONMENTS)
  environment?: Environment;
}
