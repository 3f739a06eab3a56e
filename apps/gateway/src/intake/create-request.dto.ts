import { REGULATIONS, REQUEST_TYPES, type Regulation, type RequestType } from '@opendsr-service/contracts';
import { Type } from 'class-transformer';
import { ArrayMaxSize, Equals, IsArray, IsIn, IsObject, IsOptional, IsString, IsUUID, Length, Matches, MaxLength, ValidateIf, ValidateNested } from 'class-validator';
import { ISO_8601 } from './iso-8601';

/** Limits of one create (protocol-notes, "Limits of a create"). */
export const MAX_IDENTITIES = 1_000;
export const MAX_CALLBACK_URLS = 20;
const MAX_VALUE_LENGTH = 4_096;
const MAX_URL_LENGTH = 2_048;

/** An element of `subject_identities` (interface.md, "Identity object"). */
export class IdentityDto {
  @IsString()
  identity_type!: string;

  @IsString()
  @Length(1, MAX_VALUE_LENGTH)
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

  @Matches(ISO_8601)
  submitted_time!: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_IDENTITIES)
  @ValidateNested({ each: true })
  @Type(() => IdentityDto)
  subject_identities?: IdentityDto[];

  @IsOptional()
  @IsString()
  api_version?: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_CALLBACK_URLS)
  @IsString({ each: true })
  @MaxLength(MAX_URL_LENGTH, { each: true })
  status_callback_urls?: string[];

  @IsOptional()
  @IsObject()
  extensions?: Record<string, unknown>;

  @IsOptional()
  @IsString()
  @Length(1, 256)
  group_id?: string;

  /** Whether the version that received this knows `regulation`; set before it is checked, never read from the body. */
  hasRegulation!: boolean;
}

/** An element of the own extension's `identities` (interface.md, "Extension"). */
export class ExtensionIdentityDto {
  @IsString()
  identity_type!: string;

  @IsString()
  @Length(1, MAX_VALUE_LENGTH)
  identity_value!: string;
}

/** The own extension. Each mpid is checked when it is normalised, since it may be a number, a big integer or a string. */
export class ExtensionDto {
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_IDENTITIES)
  mpids?: unknown[];

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_IDENTITIES)
  @ValidateNested({ each: true })
  @Type(() => ExtensionIdentityDto)
  identities?: ExtensionIdentityDto[];
}
