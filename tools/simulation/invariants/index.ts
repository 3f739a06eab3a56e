import type { Outcome } from '../world';
import { everyAdmissionEnds, groupsAreBounded, oneAdmission } from './admissions';
import { nothingIsParked, viewsAgree } from './agreement';
import { deliveriesBeginInTime, deliveriesEndInTime, everyChangeIsTold } from './callbacks';
import { completedAfterAllReports, noGapInVersions } from './events';
import { everyEndOfKeysIsAttested, livingKeysOpen, noKeysEndTooEarly } from './generations';
import {
  everyEndIsAttested,
  everyExtensionCountsOnce,
  everyReceiptIsLogged,
  logHasOneHistory,
  oneCheckpointOfEachSize,
} from './public-log';
import { queriesNameTheirShard } from './shards';
import { callbacksTellWhatIsShown, cancelledNeverStarts, noStatusGoesBack } from './statuses';
import { conflictsMeanTwins } from './twins';
import type { Invariant, Violation } from './violation';
import { attestationsNameWhoWaived, everyWaiverCountsOnce } from './waivers';

/** What must hold after every world (issue 6, point 10; the last fourteen beyond it). */
export const INVARIANTS: readonly Invariant[] = [
  ...[oneAdmission, everyAdmissionEnds, cancelledNeverStarts, noStatusGoesBack, conflictsMeanTwins, everyChangeIsTold],
  ...[completedAfterAllReports, viewsAgree, groupsAreBounded, noGapInVersions],
  ...[callbacksTellWhatIsShown, nothingIsParked, deliveriesBeginInTime, deliveriesEndInTime, queriesNameTheirShard],
  ...[logHasOneHistory, everyReceiptIsLogged, everyEndIsAttested, oneCheckpointOfEachSize],
  ...[everyExtensionCountsOnce, everyWaiverCountsOnce, attestationsNameWhoWaived],
  ...[livingKeysOpen, everyEndOfKeysIsAttested, noKeysEndTooEarly],
];

export const violationsOf = (outcome: Outcome): Violation[] =>
  INVARIANTS.flatMap(({ name, check }) => check(outcome).map((violation) => ({ invariant: name, ...violation })));

export type { Invariant, Violation } from './violation';
