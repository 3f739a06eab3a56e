import { IsInt, IsIP, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';

export const MAX_ENVIRONMENT_LENGTH = 64;

/** Common fields of identity calls and batches (protocol, "Identity bodies"). Other fields are accepted. */
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
  @IsString()
  @MaxLength(MAX_ENVIRONMENT_LENGTH)
  environment?: string;
}
