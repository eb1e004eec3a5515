import { Conversation } from '../../components/conversation.tsx';
import { Notice } from '../../components/notice.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { Waterfalls } from '../../components/waterfall.tsx';
import { messages, notice, phase } from '../../state/talk.ts';
import { events, turns } from '../../state/timeline.ts';
import { Controls } from './controls.tsx';
import { Face } from './face.tsx';
import { FloorBar } from './floor-bar.tsx';

/** The conversation itself: the face large, what is said beside it. */
export function Stage() {
  return (
    <main class="stage">
      <h1 class="visually-hidden">Conversation</h1>
      <div class="main">
        <Face />
        {phase.value !== 'over' && <FloorBar />}
        {notice.value !== null && phase.value === 'live' && (
          <Notice>
            <span>{notice.value}</span>
            <button
              class="button"
              type="button"
              onClick={() => {
                notice.value = null;
              }}
            >
              Dismiss
            </button>
          </Notice>
        )}
        {phase.value !== 'over' && <Controls />}
      </div>
      <Tabs
        label="About this conversation"
        tabs={[
          {
            name: 'Conversation',
            content: () => <Conversation following lines={messages.value} />,
          },
          { name: 'Timing', content: () => <Waterfalls turns={turns.value} /> },
          { name: 'Events', content: () => <Timeline events={events.value} /> },
        ]}
      />
    </main>
  );
}
