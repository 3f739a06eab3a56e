import { IsString, Length } from 'class-validator';

/** The secret of the link that a sandbox prints. */
export class SignInLink {
  @IsString()
  @Length(1, 128)
  token!: string;
}
