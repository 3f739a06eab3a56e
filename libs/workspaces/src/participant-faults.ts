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
