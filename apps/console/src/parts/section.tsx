import { Flex, FlexItem, Title } from '@patternfly/react-core';
import type { ReactNode } from 'react';

interface SectionParts {
  readonly title: string;
  /** Beside the title: what can be done with this part of the page. */
  readonly actions?: ReactNode;
  /** Whether paper leaves it out: it shows nothing yet. */
  readonly isScreenOnly?: boolean;
  readonly children: ReactNode;
}

/** A part of a page under a heading of its own. */
export function Section({ title, actions, isScreenOnly = false, children }: SectionParts) {
  return (
    <section className={isScreenOnly ? 'console-section console-no-print' : 'console-section'}>
      <Flex justifyContent={{ default: 'justifyContentSpaceBetween' }} alignItems={{ default: 'alignItemsCenter' }}>
        <FlexItem>
          <Title headingLevel="h2" size="lg">
            {title}
          </Title>
        </FlexItem>
        {actions !== undefined && <FlexItem className="console-no-print">{actions}</FlexItem>}
      </Flex>
      {children}
    </section>
  );
}
