import { ENVIRONMENTS, type Environment } from '@opendsr-service/contracts';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsInt, IsIP, IsObject, IsOptional, IsString, Length, ValidateNested } from 'class-validator';

const MAX_EVENTS = 10_000;

/** An event of any type; what else it holds is kept as it came (protocol-notes, "Event fields"). */
export class EventDto {
  @IsString()
  @Length(1, 256)
  event_type!: string;

  @IsObject()
  data!: Record<string, unknown>;
}

/** The body of an events call (interface.md, "Events"). It is checked here and stored as it came. */
export class EventsDto {
  @IsOptional()
  @IsObject()
  user_identities?: Record<string, unknown>;

  @IsOptional()
  @IsObject()
  known_identities?: Record<string, unknown>;

  @IsArray()
  @ArrayMaxSize(MAX_EVENTS)
  @ValidateNested({ each: true })
  @Type(() => EventDto)
  events!: EventDto[];

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
