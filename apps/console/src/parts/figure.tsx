import { Card, CardBody, CardTitle } from '@patternfly/react-core';
import { Link } from 'react-router';

interface FigureProps {
  readonly title: string;
  /** As it is shown; undefined while it is not known. */
  readonly value: string | undefined;
  /** The list that the number counts. */
  readonly to: string;
  readonly tone?: 'good' | 'warning' | 'danger' | undefined;
}

/** A number that leads to its list. */
export function Figure({ title, value, to, tone }: FigureProps) {
  return (
    <Card isCompact isFullHeight className={tone && `console-figure is-${tone}`}>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>
        <Link className="console-number" to={to} aria-label={`${title}: ${value ?? '–'}`}>
          {value ?? '–'}
        </Link>
      </CardBody>
    </Card>
  );
}
