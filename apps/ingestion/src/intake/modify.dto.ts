import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { MAX_ENVIRONMENT_LENGTH } from './ingest-body.dto';

const MAX_CHANGES = 100;
const MAX_VALUE_LENGTH = 4_096;

/** `old_value` null adds an identity, `new_value` null removes it, both replace it. */
export class IdentityChangeDto {
  @IsString()
  identity_type!: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_VALUE_LENGTH)
  old_value?: string | null;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_VALUE_LENGTH)
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
