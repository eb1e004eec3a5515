import { useState } from 'preact/hooks';
import { listVoices } from '../../api/routes.ts';
import type { Voice } from '../../api/types.ts';
import { DeleteDialog, namesOf } from '../../components/delete-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { useBlocked } from '../../components/permission.tsx';
import { PlayButton, SampleButton } from '../../components/sample-button.tsx';
import { previewVoice } from './voice-api.ts';
import { VoiceTraits } from './voice-traits.tsx';

/** A voice of the list. @param props.said the user's own text and its language, both maybe empty. */
export function VoiceRow(props: {
  voice: Voice;
  said: { readonly text: string; readonly language: string };
  onRename: () => void;
  onDeleted: () => void;
}) {
  const { voice, said } = props;
  const [asksToDelete, setAsksToDelete] = useState(false);
  const isOnlySeen = useBlocked() !== null;
  const isOwn = voice.createdByOrganizationId !== null && !isOnlySeen;
  const text = said.text.trim();

  return (
    <li class="row-line">
      <SampleButton voice={voice} />
      <VoiceTraits voice={voice} />
      {text !== '' && !isOnlySeen && (
        <PlayButton
          playKey={`text ${voice.id}`}
          name={`your text with ${voice.displayName}`}
          words="Say it"
          recording={{
            open: async () => URL.createObjectURL(await previewVoice(voice.id, text, said.language)),
            release: (url) => URL.revokeObjectURL(url),
          }}
        />
      )}
      {isOwn && (
        <span class="own">
          <button
            class="button quiet icon-only"
            type="button"
            aria-label={`Rename ${voice.displayName}`}
            onClick={props.onRename}
          >
            <Icon name="pencil" />
          </button>
          <button
            class="button quiet icon-only"
            type="button"
            aria-label={`Delete ${voice.displayName}`}
            onClick={() => setAsksToDelete(true)}
          >
            <Icon name="trash" />
          </button>
        </span>
      )}
      {asksToDelete && (
        <DeleteDialog
          name={voice.displayName}
          path={`/v1/voices/${voice.id}`}
          text="The copy is deleted at its service, too. This cannot be undone."
          replacements={async () => namesOf((await listVoices()).data, voice.id)}
          onClose={() => setAsksToDelete(false)}
          onDeleted={props.onDeleted}
        />
      )}
    </li>
  );
}
