/** The workspace has a participant of this name. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken';
}

/** There is no such workspace. */
export class UnknownWorkspace extends Error {
  override readonly name = 'UnknownWorkspace';
}

/** The workspace has as many participants as one may have. */
export class TooManyParticipants extends Error {
  override readonly name = 'TooManyParticipants';
}

/** A workspace has this id or name already. */
export class WorkspaceTaken extends Error {
  override readonly name = 'WorkspaceTaken';
}

/** There is no such API key. */
export class UnknownKey extends Error {
  override readonly name = 'UnknownKey';
}

/** The API key has expired or was revoked, so that it cannot be rotated any more. */
export class KeyEnded extends Error {
  override readonly name = 'KeyEnded';
}

/** The workspace has as many API keys in force as one may have. */
export class TooManyKeys extends Error {
  override readonly name = 'TooManyKeys';
}
