import type { Voice } from '../../api/types.ts';
import { Icon } from '../../components/icon.tsx';
import { FailedWork } from '../../components/notice.tsx';
import { PlayButton, SampleButton } from '../../components/sample-button.tsx';
import { useWork } from '../../state/work.ts';
import { deleteVoice, previewVoice } from './voice-api.ts';
import { VoiceTraits } from './voice-traits.tsx';

/** A voice of the list. @param props.said the user's own text and its language, both maybe empty. */
export function VoiceRow(props: {
  voice: Voice;
  said: { readonly text: string; readonly language: string };
  onRename: () => void;
  onDeleted: () => void;
}) {
  const { voice, said } = props;
  const { work, run } = useWork();
  const isOwn = voice.createdByOrganizationId !== null;
  const text = said.text.trim();

  function onDelete(): void {
    if (!confirm(`Delete ${voice.displayName}? Personas that speak with it need another voice.`)) return;
    void run(async () => {
      await deleteVoice(voice.id);
      props.onDeleted();
    });
  }

  return (
    <li class="row-line">
      <SampleButton voice={voice} />
      <VoiceTraits voice={voice} />
      {text !== '' && (
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
            disabled={work.state === 'running'}
            onClick={onDelete}
          >
            <Icon name="trash" />
          </button>
        </span>
      )}
      <FailedWork work={work} />
    </li>
  );
}
