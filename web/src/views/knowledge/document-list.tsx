import { ChangeButton, useBlocked } from '../../components/permission.tsx';
import { useState } from 'preact/hooks';
import { problemsWith, sentenceOf } from '../../api/problem.ts';
import { Icon } from '../../components/icon.tsx';
import { Notice } from '../../components/notice.tsx';
import { Shown } from '../../components/page.tsx';
import { deletedIds, deleteSoon } from '../../state/deletion.ts';
import { useLoaded, useLoadedAgain } from '../../state/load.ts';
import { useWork } from '../../state/work.ts';
import {
  deleteDocument,
  type DocumentDetails,
  listDocuments,
  processDocument,
  uploadDocument,
} from './knowledge-api.ts';

const ACCEPTED = [
  '.pdf,.docx,.doc,.xlsx,.xls,.xlsb,.pptx,.ppt,.odt,.ods,.odp,.epub,.rtf,.html,.htm,.eml,.msg,.mbox,.mhtml,.ics,.vcf',
  '.md,.markdown,.txt,.csv,.tsv,.json,.jsonl,.log,.xml,.yaml,.yml,.srt,.vtt,.adoc,.rst,.org,.tex,.ipynb,.fb2,.zip,.tar,.tgz,.gz',
].join(',');
/** How often the service is asked while it reads documents. */
const ASK_EVERY_MS = 1_000;

const STATES: Readonly<Record<DocumentDetails['status'], { readonly text: string; readonly tone: string }>> = {
  UPLOADED: { text: 'Waiting', tone: '' },
  PROCESSING: { text: 'Being read', tone: '' },
  READY: { text: 'Ready', tone: 'good' },
  FAILED: { text: 'Cannot be read', tone: 'bad' },
};

interface Upload {
  readonly name: string;
  /** 0…1. */
  readonly part: number;
  readonly problem: string | null;
}

/** Behind the name of the file: "is a picture, …". */
function refusalOf(error: unknown): string {
  const own = problemsWith(error).find(({ path }) => path === 'file');
  return own === undefined ? `was not uploaded: ${sentenceOf(error)}` : `${own.message}.`;
}

export function DocumentList({ groupId }: { groupId: string }) {
  const documents = useLoaded(groupId, () => listDocuments(groupId));
  const { uploads, upload } = useUploads(groupId, documents.again);
  const isOnlySeen = useBlocked() !== null;
  const isReading =
    documents.state === 'ready' &&
    documents.value.some(({ status }) => status === 'UPLOADED' || status === 'PROCESSING');
  useLoadedAgain(documents, ASK_EVERY_MS, isReading);

  return (
    <section class="stack" aria-label="Documents">
      {!isOnlySeen && <Picker onPick={(files) => void upload(files)} />}
      {uploads.map((one) => (
        <UploadRow key={one.name} upload={one} />
      ))}
      <Shown loaded={documents}>
        {(every) => {
          const all = every.filter(({ id }) => !deletedIds.value.has(id));
          return all.length === 0 ? (
            <p class="muted">There are no documents yet.</p>
          ) : (
            <ul class="card rows">
              {all.map((document) => (
                <DocumentRow key={document.id} document={document} onChanged={documents.again} />
              ))}
            </ul>
          );
        }}
      </Shown>
    </section>
  );
}

/** Sends documents one after the other. @param sent called after each. */
function useUploads(groupId: string, sent: () => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const note = (name: string, part: Partial<Upload>): void =>
    setUploads((before) => before.map((upload) => (upload.name === name ? { ...upload, ...part } : upload)));

  async function upload(files: readonly File[]): Promise<void> {
    setUploads(files.map(({ name }) => ({ name, part: 0, problem: null })));
    for (const file of files) {
      try {
        await uploadDocument(groupId, file, (part) => note(file.name, { part }));
        setUploads((before) => before.filter(({ name }) => name !== file.name));
      } catch (error) {
        note(file.name, { problem: refusalOf(error) });
      }
      sent();
    }
  }
  return { uploads, upload };
}

function Picker({ onPick }: { onPick: (files: readonly File[]) => void }) {
  return (
    <>
      <label class="button pick">
        <Icon name="upload" />
        Add documents
        <input
          class="visually-hidden"
          type="file"
          multiple
          accept={ACCEPTED}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            // The same file can be picked again.
            event.currentTarget.value = '';
            onPick(files);
          }}
        />
      </label>
      <span class="muted small">
        PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, HTML, text, tables or JSON, up to 50 MB each.
      </span>
    </>
  );
}

function UploadRow({ upload: { name, part, problem } }: { upload: Upload }) {
  if (problem === null)
    return (
      <div class="row">
        <span class="small">{name}</span>
        <progress max={1} value={part} aria-label={`Upload of ${name}`} />
      </div>
    );
  return (
    <Notice tone="bad">
      <span>
        {name} {problem}
      </span>
    </Notice>
  );
}

function DocumentRow({
  document: { id, filename, status, errorMessage, note },
  onChanged,
}: {
  document: DocumentDetails;
  onChanged: () => void;
}) {
  const { work, run } = useWork();
  return (
    <li class="row-line">
      <span class="what">
        <strong>{filename}</strong>
        {errorMessage !== null && <span class="small">{errorMessage}</span>}
        {note !== null && <span class="small">{note}</span>}
        {work.state === 'failed' && <span class="small">{work.message}</span>}
      </span>
      <span class={`badge ${STATES[status].tone}`}>{STATES[status].text}</span>
      {status === 'FAILED' && (
        <ChangeButton
          class="button quiet"
          aria-label={`Read ${filename} again`}
          disabled={work.state === 'running'}
          onClick={() =>
            void run(async () => {
              await processDocument(id);
              onChanged();
            })
          }
        >
          Try again
        </ChangeButton>
      )}
      <ChangeButton
        class="button quiet icon-only"
        aria-label={`Delete ${filename}`}
        disabled={work.state === 'running'}
        onClick={() =>
          deleteSoon([id], filename, async () => {
            await deleteDocument(id);
            onChanged();
          })
        }
      >
        <Icon name="trash" />
      </ChangeButton>
    </li>
  );
}
