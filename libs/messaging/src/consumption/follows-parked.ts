/** The reason of a record that is parked only because another one of its key is. */
export const followsParked = 'follows-parked-record';
