import { MAX_IDENTITY_CHARS } from '@opendsr-service/contracts';
import { Characters } from '@opendsr-service/edge';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { MAX_ENVIRONMENT_LENGTH } from './ingest-body.dto';

const MAX_CHANGES = 100;

/** `old_value` null adds an identity, `new_value` null removes it, both replace it. */
export class IdentityChangeDto {
  @IsString()
  identity_type!: string;

  @IsOptional()
  @Characters(0, MAX_IDENTITY_CHARS)
  old_value?: string | null;

  @IsOptional()
  @Characters(0, MAX_IDENTITY_CHARS)
  new_value?: string | null;
}

export class ModifyDto {
  @IsOptional()
  @IsString()
  @MaxLength(MAX_ENVIRONMENT_LENGTH)
  environment?: string;

  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_CHANGES)
  @ValidateNested({ each: true })
  @Type(() => IdentityChangeDto)
  identity_changes!: IdentityChangeDto[];
}
