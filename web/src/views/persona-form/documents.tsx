import { listDocuments } from '../../api/routes.ts';
import type { KnowledgeDocument, KnowledgeGroup } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { Notice } from '../../components/notice.tsx';
import type { DocumentChanges } from '../../state/documents.ts';
import { useLoaded } from '../../state/load.ts';

const ACCEPTED = '.pdf,.docx,.md,.markdown,.txt,.csv,.json,.log';

/** The documents that a persona answers from. Changes are made when the form is saved. */
export function Documents({
  groups,
  value,
  onChange,
}: {
  groups: readonly KnowledgeGroup[];
  value: DocumentChanges;
  onChange: (value: DocumentChanges) => void;
}) {
  const loaded = useLoaded(groups.map(({ id }) => id).join(' '), async () =>
    (await Promise.all(groups.map(({ id }) => listDocuments(id)))).flat(),
  );
  const kept = loaded.state === 'ready' ? loaded.value.filter((document) => !value.removed.includes(document)) : [];

  function onPick(event: { currentTarget: HTMLInputElement }): void {
    onChange({ ...value, added: [...value.added, ...(event.currentTarget.files ?? [])] });
    // The same file can be picked again after it was taken out.
    event.currentTarget.value = '';
  }

  const remove = (document: KnowledgeDocument): void => onChange({ ...value, removed: [...value.removed, document] });
  return (
    <fieldset class="field plain">
      <legend class="label">What it knows</legend>
      {loaded.state === 'failed' && (
        <Notice bad>
          <span>{loaded.message}</span>
        </Notice>
      )}
      {kept.length + value.added.length > 0 && (
        <ul class="card documents">
          {kept.map((document) => (
            <Row
              key={document.id}
              name={document.filename}
              bytes={document.fileSize}
              note={STATES[document.status]}
              onRemove={() => remove(document)}
            />
          ))}
          {value.added.map((file, index) => (
            <Row
              key={`new ${index}`}
              name={file.name}
              bytes={file.size}
              note="new"
              onRemove={() => onChange({ ...value, added: value.added.filter((other) => other !== file) })}
            />
          ))}
        </ul>
      )}
      <label class="button pick">
        <Icon name="plus" />
        Add documents
        <input class="visually-hidden" type="file" multiple accept={ACCEPTED} onChange={onPick} />
      </label>
      <span class="hint">
        PDF, Word, Markdown, text, CSV or JSON, up to 50 MB each. The persona looks answers up in them.
      </span>
    </fieldset>
  );
}

const STATES: Readonly<Record<KnowledgeDocument['status'], string | null>> = {
  READY: null,
  UPLOADED: 'waiting',
  PROCESSING: 'being read',
  FAILED: 'cannot be read',
};

function Row({
  name,
  bytes,
  note,
  onRemove,
}: {
  name: string;
  bytes: number;
  note: string | null;
  onRemove: () => void;
}) {
  return (
    <li>
      <span class="filename">{name}</span>
      {note !== null && <span class="badge">{note}</span>}
      <span class="number muted small">{sizeText(bytes)}</span>
      <button
        class="button quiet icon-only"
        type="button"
        aria-label={`Remove ${name}`}
        title="Remove"
        onClick={onRemove}
      >
        <Icon name="cross" />
      </button>
    </li>
  );
}

/** 1536 → "1.5 kB". */
function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1000)));
  return `${(bytes / 1000 ** power).toLocaleString(undefined, { maximumFractionDigits: power === 0 ? 0 : 1 })} ${units[power]}`;
}
