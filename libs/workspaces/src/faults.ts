/** The workspace already has a participant of this name. */
export class NameTaken extends Error {
  override readonly name = 'NameTaken';
}

/** The workspace does not exist. */
export class UnknownWorkspace extends Error {
  override readonly name = 'UnknownWorkspace';
}

/** The workspace has the maximum number of participants. */
export class TooManyParticipants extends Error {
  override readonly name = 'TooManyParticipants';
}

/** Another workspace has this id or name. */
export class WorkspaceTaken extends Error {
  override readonly name = 'WorkspaceTaken';
}

/** The API key does not exist. */
export class UnknownKey extends Error {
  override readonly name = 'UnknownKey';
}

/** The API key has expired or was revoked, so it cannot be rotated. */
export class KeyEnded extends Error {
  override readonly name = 'KeyEnded';
}

/** Somebody else rotates the API key, or has done so a moment ago. */
export class KeyRotated extends Error {
  override readonly name = 'KeyRotated';
}

/** The workspace has the maximum number of active API keys. */
export class TooManyKeys extends Error {
  override readonly name = 'TooManyKeys';
}
