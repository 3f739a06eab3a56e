import { ENVIRONMENTS, type Environment } from '@opendsr-service/contracts';
import { IsIn, IsInt, IsIP, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';

/** The body of an identify in either dialect (interface.md, "Identify"; protocol-notes, "Identity bodies"). Other fields are accepted. */
export class IdentifyDto {
  @IsOptional()
  @IsObject()
  user_identities?: Record<string, unknown>;

  @IsOptional()
  @IsObject()
  known_identities?: Record<string, unknown>;

  @IsOptional()
  @IsObject()
  user_attributes?: Record<string, unknown>;

  @IsOptional()
  @IsString()
  @MaxLength(1_024)
  context?: string | null;

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
