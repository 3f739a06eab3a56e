import { ActionGroup, Button, Content, Form, FormGroup, FormSelect, FormSelectOption } from '@patternfly/react-core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { useTexts } from '../../language/language-context';
import { Page } from '../../parts/page';
import { ProblemState } from '../../parts/problem-state';
import { QueryState } from '../../parts/query-state';
import { Section } from '../../parts/section';
import { requestWords } from '../../requests/texts';
import { Arrived } from './arrived';
import { createRequest, type RequestType } from './create';
import { Created } from './created';
import { people, type Person } from './people';
import { callbacksQuery, sandboxQuery, type Sandbox } from './sandbox';
import { firstRunTexts } from './texts';

/** A newcomer's page in the sandbox: the browser acts as a controller. */
export default function FirstRunPage() {
  const t = useTexts(firstRunTexts);
  const query = useQuery(sandboxQuery);
  return (
    <Page title={t.title} isLoading={query.isPending}>
      <QueryState query={query}>{(sandbox) => <FirstRun sandbox={sandbox} />}</QueryState>
    </Page>
  );
}

function FirstRun({ sandbox }: { readonly sandbox: Sandbox }) {
  const t = useTexts(firstRunTexts);
  const { type: types } = useTexts(requestWords);
  const [person, setPerson] = useState<Person>(people[0]);
  const [type, setType] = useState<RequestType>('access');
  const create = useMutation({ mutationFn: () => createRequest(sandbox, person, type) });
  const { data: callbacks = [] } = useQuery(callbacksQuery);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <div className="console-sections">
      <Content component="p">{t.intro}</Content>
      <Form onSubmit={submit} isWidthLimited>
        <FormGroup label={t.person} fieldId="person">
          <FormSelect
            id="person"
            value={person.name}
            onChange={(_event, name) => setPerson(people.find((one) => one.name === name) ?? person)}
          >
            {people.map(({ name, email }) => (
              <FormSelectOption key={name} value={name} label={`${name} (${email})`} />
            ))}
          </FormSelect>
        </FormGroup>
        <FormGroup label={t.type} fieldId="type">
          <FormSelect id="type" value={type} onChange={(_event, next) => setType(next as RequestType)}>
            {Object.entries(types).map(([value, label]) => (
              <FormSelectOption key={value} value={value} label={label} />
            ))}
          </FormSelect>
        </FormGroup>
        <ActionGroup>
          <Button type="submit" isDisabled={create.isPending}>
            {create.isPending ? t.creating : t.create}
          </Button>
        </ActionGroup>
      </Form>
      {create.error !== null && <ProblemState error={create.error} />}
      {create.data && (
        <Section title={t.created}>
          <Created created={create.data} />
        </Section>
      )}
      <Section title={t.callbacks}>
        {callbacks.length === 0 && <p>{t.noCallbacks}</p>}
        <div role="log" aria-label={t.callbacks} className="console-sections">
          {callbacks.map((callback) => (
            <Arrived key={callback.number} callback={callback} callbackUrl={sandbox.callback_url} />
          ))}
        </div>
      </Section>
      <Section title={t.next}>
        <Content component="p">{t.steps}</Content>
      </Section>
    </div>
  );
}
