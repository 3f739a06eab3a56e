import { Type } from 'class-transformer';
import { IsArray, IsObject, IsOptional, IsString, Length, MaxLength, ValidateNested } from 'class-validator';
import { IngestBodyDto } from './ingest-body.dto';

/** An event of any type; what else it holds is kept as it came (protocol, "Event fields"). */
export class EventDto {
  @IsString()
  @Length(1, 256)
  event_type!: string;

  @IsObject()
  data!: Record<string, unknown>;
}

/** A batch (protocol, "Events endpoint"). It is checked here and stored as it came. */
export class EventsDto extends IngestBodyDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EventDto)
  events!: EventDto[];

  @IsOptional()
  @IsString()
  @MaxLength(256)
  source_request_id?: string | null;

  /** An integer or its decimal string; looked at in `readBatch`. */
  mpid?: unknown;
}
