import { useState } from 'preact/hooks';
import type { Voice } from '../../api/types.ts';
import { TextField } from '../../components/fields.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { RequestForm, SubmitButton } from '../../components/request-form.tsx';
import { useFormWork } from '../../state/form-work.ts';
import { renameVoice } from './voice-api.ts';

export function RenameDialog({ voice, close, renamed }: { voice: Voice; close: () => void; renamed: () => void }) {
  const [name, setName] = useState(voice.displayName);
  const form = useFormWork();
  async function onSend(): Promise<void> {
    await renameVoice(voice.id, name);
    renamed();
    close();
  }
  return (
    <Dialog title={`Rename ${voice.displayName}`} onClose={close}>
      <RequestForm form={form} class="stack" onSend={onSend}>
        <TextField label="Name" path="displayName" required maxLength={255} value={name} onInput={setName} />
        <FailedWork work={form.work} />
        <div class="row">
          <SubmitButton form={form}>Rename</SubmitButton>
        </div>
      </RequestForm>
    </Dialog>
  );
}
