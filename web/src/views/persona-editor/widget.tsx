import { Shown } from '../../components/page.tsx';
import { useLoaded } from '../../state/load.ts';
import { EmbedCodeField } from '../share/embed-code-field.tsx';
import { versionsToShare } from '../share/share-api.ts';
import { WidgetFields } from '../share/widget-fields.tsx';
import { WidgetPreview } from '../share/widget-preview.tsx';
import type { Version } from './draft-api.ts';
import type { SectionProps } from './section.ts';
import { serviceUrl } from '../../api/service.ts';

/** How the persona looks on web sites, and which ones may show it. */
export function WidgetSection(props: SectionProps) {
  const { personaId } = props;
  const versions = useLoaded('versions to share', async () => (personaId === null ? [] : versionsToShare(personaId)));
  return <Shown loaded={versions}>{(value) => <Widget {...props} versions={value} />}</Shown>;
}

function Widget({ draft, set, choices, personaId, versions }: SectionProps & { versions: readonly Version[] }) {
  const avatar = choices.avatars.find(({ id }) => id === draft.avatarId) ?? null;
  return (
    <div class="widget-editor">
      <div class="stack">
        <WidgetFields
          config={draft.widgetConfig}
          versions={versions}
          variables={draft.variables}
          onChange={(part) => set({ widgetConfig: { ...draft.widgetConfig, ...part } })}
        />
        {personaId === null ? (
          <p class="muted small">Once the persona is created, the code for your page stands here.</p>
        ) : (
          <EmbedCodeField
            service={serviceUrl()}
            source={{ kind: 'persona', personaId }}
            layout={draft.widgetConfig.layout ?? 'floating'}
          />
        )}
      </div>
      <WidgetPreview
        name={draft.name.trim() || 'Your persona'}
        imageUrl={avatar?.imageUrl ?? null}
        config={draft.widgetConfig}
      />
    </div>
  );
}
