import { IsInt, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import { IngestBodyDto } from './ingest-body.dto';

/** The body of identify, login, logout and search (protocol, "Identify endpoint"). Other fields of SDKs are ignored. */
export class IdentityDto extends IngestBodyDto {
  @IsOptional()
  @IsObject()
  user_attributes?: Record<string, unknown>;

  @IsOptional()
  @IsString()
  @MaxLength(1_024)
  context?: string | null;

  @IsOptional()
  @IsInt()
  request_timestamp_ms?: number;
}
