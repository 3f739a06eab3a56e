import { REGULATIONS, REQUEST_TYPES, type Regulation, type RequestType } from '@opendsr-service/contracts';
import { Type } from 'class-transformer';
import {
  Equals,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { elementsOf } from './loose';
import { Characters, Moment } from './text';

/** Limits of one create (protocol-notes, "Limits of a create"). How long its lists may be is counted before these classes look at them. */
export const MAX_VALUE_CHARS = 4_096;
export const MAX_GROUP_ID_CHARS = 256;

/** Says which elements are no strings, by their places. */
function unlikeStrings({ property, value }: ValidationArguments): string {
  const wrong = elementsOf(value).flatMap((element, n) => (typeof element === 'string' ? [] : [`[${n}]`]));
  return `${property} must be strings${wrong.length > 0 ? `, unlike ${wrong.join(', ')}` : ''}`;
}

/** An element of `subject_identities` (interface.md, "Identity object"). */
export class IdentityDto {
  @IsString()
  identity_type!: string;

  @Characters(1, MAX_VALUE_CHARS)
  identity_value!: string;

  @Equals('raw')
  identity_format!: string;
}

/** The body of a create (interface.md, "Request"). Fields that it does not name are ignored. */
export class CreateRequestDto {
  /** Version 2 only: version 1 ignores it. */
  @ValidateIf((dto: CreateRequestDto) => dto.hasRegulation)
  @IsIn(REGULATIONS)
  regulation?: Regulation;

  @IsUUID('4')
  subject_request_id!: string;

  @IsIn(REQUEST_TYPES)
  subject_request_type!: RequestType;

  @Moment()
  submitted_time!: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => IdentityDto)
  subject_identities?: IdentityDto[];

  @IsOptional()
  @IsString()
  api_version?: string;

  @IsOptional()
  @IsArray()
  @IsString({ each: true, message: unlikeStrings })
  status_callback_urls?: string[];

  @IsOptional()
  @IsObject()
  extensions?: Record<string, unknown>;

  @IsOptional()
  @Characters(0, MAX_GROUP_ID_CHARS)
  group_id?: string;

  /** Whether the version that received this knows `regulation`; set before it is checked, never read from the body. */
  hasRegulation!: boolean;
}

/** An element of the own extension's `identities` (interface.md, "Extension"). */
export class ExtensionIdentityDto {
  @IsString()
  identity_type!: string;

  @Characters(1, MAX_VALUE_CHARS)
  identity_value!: string;

  /** The interface knows none here. Who sends one must not have a hash taken for the value itself. */
  @IsOptional()
  @Equals('raw')
  identity_format?: string;
}

/** The own extension. Each mpid is checked when it is normalised, since it may be a number, a big integer or a string. */
export class ExtensionDto {
  @IsOptional()
  @IsArray()
  mpids?: unknown[];

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ExtensionIdentityDto)
  identities?: ExtensionIdentityDto[];
}
