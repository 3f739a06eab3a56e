import { Button, Flex } from '@patternfly/react-core';
import DownloadIcon from '@patternfly/react-icons/dist/esm/icons/download-icon';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../language/language-context';
import { rightNow } from '../../../parts/clock';
import { QueryState } from '../../../parts/query-state';
import { saveFile } from '../../../parts/save-file';
import { Section } from '../../../parts/section';
import { attestationQuery } from '../queries';
import { type RequestStory } from '../../../requests/request-query';
import { askAgainMs } from './ask-again';
import { attestationTexts } from './texts';
import { Verification } from './verification';

/** The proof of what became of a request, which the viewer verifies without asking the service. */
export function Attestation({ story }: { readonly story: RequestStory }) {
  const t = useTexts(attestationTexts);
  const { workspace: ws, subject_request_id: srid, ended_time: ended } = story;
  const query = useQuery({
    ...attestationQuery({ ws, srid }),
    enabled: ended !== null,
    refetchInterval: ({ state }) => askAgainMs(state.data, ended, rightNow()),
  });
  if (ended === null) return <Section title={t.title}>{t.none}</Section>;
  return (
    <Section title={t.title}>
      <QueryState query={query}>
        {(bundle) =>
          bundle === null ? (
            <p>{t.none}</p>
          ) : (
            <>
              <Flex className="console-no-print">
                <Button
                  variant="secondary"
                  icon={<DownloadIcon />}
                  onClick={() => saveFile(`attestation-${srid}.json`, bundle, 'application/json')}
                >
                  {t.download}
                </Button>
              </Flex>
              <Verification bundle={bundle} which={{ ws, srid }} />
            </>
          )
        }
      </QueryState>
    </Section>
  );
}
