import type { RefObject } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { ChangeButton } from './permission.tsx';
import { useProblem, useReadOnly } from './problems.tsx';

/** Something that can be attached, by its name. */
export interface Attachable {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Where it is edited. Null: nowhere. */
  readonly href: string | null;
}

/** Rows below the search field; more are found by typing. */
const MAX_FOUND = 5;

interface AttachListProps {
  readonly title: string;
  readonly text: string;
  /** One of them, in the middle of a sentence. */
  readonly one: string;
  readonly options: readonly Attachable[];
  readonly attached: readonly string[];
  readonly path?: string;
  readonly onAttach: (id: string) => void;
  readonly onRemove: (id: string) => void;
  readonly onMake: () => void;
}

/** What is attached, and a search for more. @param props.path of the ids in what is sent. */
export function AttachList(props: AttachListProps) {
  const { title, one, options, attached } = props;
  const [query, setQuery] = useState('');
  const [said, setSaid] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const isReadOnly = useReadOnly();
  const byId = new Map(options.map((option) => [option.id, option]));
  const shown = attached.map((id) => byId.get(id) ?? { id, title: `A ${one} that was deleted`, text: '', href: null });
  const found = options.filter((option) => !attached.includes(option.id) && matches(option, query));

  /** The button that was pressed goes away, and the keyboard with it: it goes on in the search field. */
  function after(text: string): void {
    setSaid(text);
    search.current?.focus();
  }

  return (
    <section class="card padded stack attach" aria-label={title}>
      <Head title={title} text={props.text} one={one} onMake={props.onMake} />
      <Attached
        title={title}
        options={shown}
        onRemove={(option) => {
          props.onRemove(option.id);
          after(`${option.title} removed`);
        }}
      />
      {isReadOnly ? (
        shown.length === 0 && <p class="muted small">None.</p>
      ) : (
        <>
          <Search field={search} one={one} path={props.path} query={query} onQuery={setQuery} />
          <Found
            title={title}
            options={found.slice(0, MAX_FOUND)}
            onAttach={(option) => {
              props.onAttach(option.id);
              setQuery('');
              after(`${option.title} added`);
            }}
          />
          <p class="muted small" role="status">
            {said}
            {said !== '' && '. '}
            {summaryOf(found.length, query, options.length, one)}
          </p>
        </>
      )}
    </section>
  );
}

function Head(props: { title: string; text: string; one: string; onMake: () => void }) {
  return (
    <div class="attach-head">
      <div>
        <h3>{props.title}</h3>
        <p class="muted small">{props.text}</p>
      </div>
      <ChangeButton class="button" onClick={props.onMake}>
        <Icon name="plus" />
        New {props.one}
      </ChangeButton>
    </div>
  );
}

function Attached(props: { title: string; options: readonly Attachable[]; onRemove: (option: Attachable) => void }) {
  if (props.options.length === 0) return null;
  return (
    <ul class="rows attached" aria-label={`${props.title} of this persona`}>
      {props.options.map((option) => (
        <li key={option.id} class="row-line">
          <What {...option} />
          <ChangeButton
            class="button quiet icon-only"
            aria-label={`Remove ${option.title}`}
            onClick={() => props.onRemove(option)}
          >
            <Icon name="cross" />
          </ChangeButton>
        </li>
      ))}
    </ul>
  );
}

function Search(props: {
  field: RefObject<HTMLInputElement | null>;
  one: string;
  path: string | undefined;
  query: string;
  onQuery: (query: string) => void;
}) {
  const { field, one, query, onQuery } = props;
  const id = useId();
  const { problem } = useProblem(props.path);
  return (
    <>
      {problem !== null && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      <input
        ref={field}
        class="input"
        type="search"
        autocomplete="off"
        aria-label={`Find a ${one}`}
        aria-invalid={problem === null ? undefined : 'true'}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        placeholder={`Find a ${one}`}
        value={query}
        onInput={(event) => onQuery(event.currentTarget.value)}
      />
    </>
  );
}

function Found(props: { title: string; options: readonly Attachable[]; onAttach: (option: Attachable) => void }) {
  if (props.options.length === 0) return null;
  return (
    <ul class="rows found" aria-label={`${props.title} that can be added`}>
      {props.options.map((option) => (
        <li key={option.id} class="row-line">
          <What {...option} />
          <button class="button" type="button" onClick={() => props.onAttach(option)}>
            Add<span class="visually-hidden"> {option.title}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function What({ title, text, href }: Attachable) {
  return (
    <span class="what">
      {href === null ? <span>{title}</span> : <a href={href}>{title}</a>}
      <span class="muted small">{text}</span>
    </span>
  );
}

function matches({ title, text }: Attachable, query: string): boolean {
  const inside = `${title} ${text}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => inside.includes(word));
}

function summaryOf(found: number, query: string, all: number, one: string): string {
  if (found > MAX_FOUND) return `${found - MAX_FOUND} more: type to find them.`;
  if (query !== '' && found === 0) return 'Nothing was found.';
  return all === 0 ? `There is no ${one} yet.` : '';
}
