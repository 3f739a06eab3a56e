import { useTexts } from '../../language/language-context';
import { ReadAgain } from '../../lists/read-again';
import { listTexts } from '../../lists/texts';
import { useLive } from '../../live/live-context';

/** Offered where the list may lack what is newer. */
export function NewerOffer() {
  const { newer } = useTexts(listTexts);
  const { isOld, isFresh } = useLive();
  return isOld && <ReadAgain queryKey={['requests']} label={newer} onReadAgain={isFresh} />;
}
