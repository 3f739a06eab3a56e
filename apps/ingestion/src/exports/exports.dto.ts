import { IsString, IsUUID, Length } from 'class-validator';

const MAX_SEALED_LENGTH = 1_048_576;

export class ExportDto {
  @IsString()
  @Length(1, 256)
  ws!: string;

  @IsUUID()
  srid!: string;

  @IsString()
  @Length(1, 256)
  kid!: string;

  @IsString()
  @Length(38, MAX_SEALED_LENGTH)
  identities!: string;
}
