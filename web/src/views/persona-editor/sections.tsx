import type { ComponentChildren } from 'preact';
import { AfterCall } from './after-call.tsx';
import { Basics } from './basics.tsx';
import { Behavior } from './behavior.tsx';
import type { PersonaDraft } from './persona-draft.ts';
import { Privacy } from './privacy.tsx';
import type { SectionProps } from './section.ts';
import { ToolsSection } from './tools.tsx';
import { TestList } from '../persona-tests/test-list.tsx';
import { Variables } from './variables.tsx';
import { Versions } from './versions.tsx';
import { VoiceSection } from './voice.tsx';
import { WidgetSection } from './widget.tsx';

/** A part of the editor, under `#/personas/id/part`. */
export interface Section {
  readonly id: string;
  readonly name: string;
  /** A problem with one of them is shown in this part. */
  readonly fields: readonly (keyof PersonaDraft)[];
  /** Not for a persona that does not exist yet. @defaultValue false */
  readonly onlyCreated?: true;
  readonly show: (props: SectionProps) => ComponentChildren;
}

/** In the order of the list beside the form. A new one is one entry here. */
export const SECTIONS: readonly Section[] = [
  {
    id: 'basics',
    name: 'Basics',
    fields: [
      'name',
      'avatarId',
      'avatarModel',
      'voiceId',
      'llmId',
      'languageCode',
      'systemPrompt',
      'personality',
      'initialMessage',
      'skipGreeting',
      'uninterruptibleGreeting',
      'description',
    ],
    show: (props) => <Basics {...props} />,
  },
  {
    id: 'tools',
    name: 'Tools and knowledge',
    fields: ['toolIds', 'mcpServerIds'],
    show: (props) => <ToolsSection {...props} />,
  },
  {
    id: 'variables',
    name: 'Variables',
    fields: ['variables'],
    show: (props) => <Variables {...props} />,
  },
  {
    id: 'behavior',
    name: 'Behavior',
    fields: ['voiceDetectionOptions', 'directorNotes'],
    show: (props) => <Behavior {...props} />,
  },
  {
    id: 'voice',
    name: 'Voice',
    fields: ['voiceGenerationOptions', 'voiceSpeed', 'enableAudioPassthrough'],
    show: (props) => <VoiceSection {...props} />,
  },
  {
    id: 'privacy',
    name: 'Privacy',
    fields: ['zeroDataRetention', 'enableSessionReplay', 'maxSessionLengthSeconds'],
    show: (props) => <Privacy {...props} />,
  },
  {
    id: 'after-call',
    name: 'After the call',
    fields: ['grading'],
    show: (props) => <AfterCall {...props} />,
  },
  {
    id: 'widget',
    name: 'Widget',
    fields: ['widgetConfig'],
    show: (props) => <WidgetSection {...props} />,
  },
  {
    id: 'tests',
    name: 'Tests',
    fields: [],
    onlyCreated: true,
    show: ({ persona, hasDraft }) => (persona === null ? null : <TestList persona={persona} hasDraft={hasDraft} />),
  },
  {
    id: 'versions',
    name: 'Versions',
    fields: [],
    onlyCreated: true,
    show: ({ persona, choices, onLive }) =>
      persona === null ? null : <Versions persona={persona} choices={choices} onLive={onLive} />,
  },
];
