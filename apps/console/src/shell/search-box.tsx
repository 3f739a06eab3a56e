import { HelperText, HelperTextItem, TextInputGroup, TextInputGroupMain } from '@patternfly/react-core';
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon';
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent, type Ref } from 'react';
import { useNavigate } from 'react-router';
import { useTexts } from '../language/language-context';
import { useProblemWords } from '../parts/use-problem-words';
import { placeOf } from './find';
import { shellTexts } from './texts';
import { SEARCH_KEY } from './use-keys';

interface SearchBoxProps {
  readonly inputRef: Ref<HTMLInputElement>;
  /** Whether a key leads here. */
  readonly hasKeys: boolean;
}

/** Goes to the request with an id, or to the list of a controller or a workspace; without requests, to the workspace. */
export function SearchBox({ inputRef, hasKeys }: SearchBoxProps) {
  const t = useTexts(shellTexts);
  const wordsOf = useProblemWords();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const search = useMutation({
    mutationFn: placeOf,
    onSuccess: (place) => {
      if (place === undefined) return;
      setText('');
      void navigate(place);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== '') search.mutate(text.trim());
  };
  return (
    <form role="search" aria-label={t.search} onSubmit={submit} className="console-search">
      <TextInputGroup>
        <TextInputGroupMain
          ref={inputRef}
          type="search"
          icon={<SearchIcon />}
          aria-label={t.search}
          placeholder={hasKeys ? t.searchByKey(SEARCH_KEY) : t.searchPlaceholder}
          value={text}
          onChange={(_event, typed) => {
            setText(typed);
            search.reset();
          }}
        />
      </TextInputGroup>
      <HelperText isLiveRegion className="console-search-answer">
        {search.isPending && <HelperTextItem>{t.searching}</HelperTextItem>}
        {search.isSuccess && search.data === undefined && (
          <HelperTextItem variant="warning">{t.notFound(text.trim())}</HelperTextItem>
        )}
        {search.isError && <HelperTextItem variant="error">{wordsOf(search.error).join('. ')}</HelperTextItem>}
      </HelperText>
    </form>
  );
}
