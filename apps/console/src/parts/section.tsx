import { Flex, FlexItem, Title } from '@patternfly/react-core';
import { useId, type ReactNode } from 'react';

interface SectionParts {
  readonly title: string;
  /** Beside the title: what can be done with this part of the page. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page under a heading of its own. */
export function Section({ title, actions, children }: SectionParts) {
  const id = useId();
  return (
    <section className="console-section" aria-labelledby={id}>
      <Flex justifyContent={{ default: 'justifyContentSpaceBetween' }} alignItems={{ default: 'alignItemsCenter' }}>
        <FlexItem>
          <Title headingLevel="h2" size="lg" id={id}>
            {title}
          </Title>
        </FlexItem>
        {actions !== undefined && <FlexItem className="console-no-print">{actions}</FlexItem>}
      </Flex>
      {children}
    </section>
  );
}
