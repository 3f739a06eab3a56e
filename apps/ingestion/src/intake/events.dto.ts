import { Type } from 'class-transformer';
import { IsArray, IsObject, IsOptional, IsString, Length, MaxLength, ValidateNested } from 'class-validator';
import { IngestBodyDto } from './ingest-body.dto';

/** Other fields are stored unchanged (protocol, "Event fields"). */
export class EventDto {
  @IsString()
  @Length(1, 256)
  event_type!: string;

  @IsObject()
  data!: Record<string, unknown>;
}

/** Protocol, "Events endpoint". Stored unchanged. */
export class EventsDto extends IngestBodyDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EventDto)
  events!: EventDto[];

  @IsOptional()
  @IsString()
  @MaxLength(256)
  source_request_id?: string | null;

  /** Checked by `readBatch`. */
  mpid?: unknown;
}
