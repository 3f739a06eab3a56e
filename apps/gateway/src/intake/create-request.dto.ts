import {
  MAX_IDENTITY_CHARS,
  REGULATIONS,
  REQUEST_TYPES,
  type Regulation,
  type RequestType,
} from '@opendsr-service/contracts';
import { Characters } from '@opendsr-service/edge';
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
import { Moment } from './moment';

/** See protocol, "Limits of a create". `checkCounts` limits the lists beforehand. */
export const MAX_GROUP_ID_CHARS = 256;

function unlikeStrings({ property, value }: ValidationArguments): string {
  const wrong = elementsOf(value).flatMap((element, n) => (typeof element === 'string' ? [] : [`[${n}]`]));
  return `${property} must be strings${wrong.length > 0 ? `, unlike ${wrong.join(', ')}` : ''}`;
}

/** See protocol, "Identity object". */
export class IdentityDto {
  @IsString()
  identity_type!: string;

  @Characters(1, MAX_IDENTITY_CHARS)
  identity_value!: string;

  @Equals('raw')
  identity_format!: string;
}

/** See protocol, "Request". Unknown fields are ignored. */
export class CreateRequestDto {
  /** Version 2 only: version 1 ignores it. */
  @ValidateIf((dto: CreateRequestDto) => dto.hasRegulation)
  @IsIn(REGULATIONS)
  regulation?: Regulation;

  @IsUUID('4', { message: '$property must be a UUID of version 4' })
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

  /** Set before validation, never read from the body. */
  hasRegulation!: boolean;
}

/** See protocol, "Extension". */
export class ExtensionIdentityDto {
  @IsString()
  identity_type!: string;

  @Characters(1, MAX_IDENTITY_CHARS)
  identity_value!: string;

  /** Refused, so that no hash is taken for a raw value. */
  @IsOptional()
  @Equals('raw')
  identity_format?: string;
}

/** Mpids are validated by normalisation: each may be a number, a bigint or a string. */
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
