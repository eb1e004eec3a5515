import { useState } from 'preact/hooks';
import type { Voice } from '../../api/types.ts';
import { TextField } from '../../components/fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { useWork } from '../../state/work.ts';
import { renameVoice } from './voice-api.ts';

export function RenameDialog({ voice, close, renamed }: { voice: Voice; close: () => void; renamed: () => void }) {
  const [name, setName] = useState(voice.displayName);
  const { work, run } = useWork();
  function onSubmit(event: Event): void {
    event.preventDefault();
    void run(async () => {
      await renameVoice(voice.id, name);
      renamed();
      close();
    });
  }
  return (
    <Dialog title={`Rename ${voice.displayName}`} onClose={close}>
      <form class="stack" onSubmit={onSubmit}>
        <TextField label="Name" required maxLength={255} value={name} onInput={setName} />
        {work.state === 'failed' && (
          <Notice bad>
            <span>{work.message}</span>
          </Notice>
        )}
        <div class="row">
          <button class="button primary" type="submit" disabled={work.state === 'running'}>
            Rename
          </button>
        </div>
      </form>
    </Dialog>
  );
}
