import { Flex, FlexItem, PageSection, Title } from '@patternfly/react-core';
import { useEffect, type ReactNode } from 'react';

/** The id of the content of a page, which takes the focus. */
export const MAIN = 'main';

interface PageParts {
  readonly title: string;
  /** While the first data of the page is read. */
  readonly isLoading?: boolean;
  /** Beside the title: what can be done with the page as a whole. */
  readonly actions?: ReactNode;
  /** Whether the content takes the height that is left, and scrolls by itself. */
  readonly isFilling?: boolean;
  readonly children: ReactNode;
}

/** A page: its name, as the only heading of the first level and in the title of the window, then its content. */
export function Page({ title, isLoading = false, actions, isFilling = false, children }: PageParts) {
  useEffect(() => {
    document.title = `${title} · OpenDSR`;
  }, [title]);
  return (
    <main
      id={MAIN}
      tabIndex={-1}
      aria-busy={isLoading}
      className={isFilling ? 'console-page is-filling' : 'console-page'}
    >
      <PageSection hasBodyWrapper={false}>
        <Flex justifyContent={{ default: 'justifyContentSpaceBetween' }} alignItems={{ default: 'alignItemsCenter' }}>
          <FlexItem>
            <Title headingLevel="h1">{title}</Title>
          </FlexItem>
          {actions !== undefined && <FlexItem className="console-no-print">{actions}</FlexItem>}
        </Flex>
      </PageSection>
      <PageSection hasBodyWrapper={false} isFilled className="console-content">
        {children}
      </PageSection>
    </main>
  );
}
