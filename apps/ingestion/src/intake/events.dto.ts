import { Type } from 'class-transformer';
import { IsArray, IsObject, IsOptional, IsString, Length, MaxLength, ValidateNested } from 'class-validator';
import { IngestBodyDto } from './ingest-body.dto';

/** An event of any type. Other fields are stored unchanged (protocol, "Event fields"). */
export class EventDto {
  @IsString()
  @Length(1, 256)
  event_type!: string;

  @IsObject()
  data!: Record<string, unknown>;
}

/** A batch (protocol, "Events endpoint"). It is stored unchanged. */
export class EventsDto extends IngestBodyDto {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EventDto)
  events!: EventDto[];

  @IsOptional()
  @IsString()
  @MaxLength(256)
  source_request_id?: string | null;

  /** An integer or its decimal string. `readBatch` checks it. */
  mpid?: unknown;
}
