/**
 * Pages as a guest of a meeting service may meet them. **They are ours**: written after the services' public help pages,
 * with the words and roles that the providers' files look for. They show that those files are consistent, and not that
 * the services' own pages look like this.
 */
export interface ProviderPages {
  /** Up to the lobby, or to the call where everybody is let in. A button with `top.next()` leads to the next one. */
  readonly wayIn: readonly string[];
  readonly lobby: string;
  readonly call: string;
  /** The names that the page of the call shows besides the persona's; null: they are not in the page. */
  readonly others: readonly string[] | null;
  /** What comes after the call, or instead of it. */
  readonly removed: string;
  readonly ended: string;
  readonly denied: string;
  /** Null: this service asks nobody for one. */
  readonly password: string | null;
}

const name = (attributes: string): string => `<input ${attributes}>`;
const button = (label: string): string => `<button onclick="top.next()">${label}</button>`;
const says = (text: string): string => `<h1>${text}</h1>`;
/** It is off until it is pressed. */
const off = (label: string): string =>
  `<button onclick="top.pressed.push('${label}'); this.remove()">${label}</button>`;

export const PROVIDER_PAGES: Readonly<Record<string, ProviderPages>> = {
  google_meet: {
    wayIn: [button('Got it'), name('aria-label="Your name"') + button('Ask to join')],
    lobby: says('Asking to be let in…') + '<button>Leave call</button>',
    call: `<div data-participant-id="1"><span class="notranslate">Elena (AI)</span><i data-self-name="Elena (AI)"></i></div>
      <div data-participant-id="2"><span class="notranslate">Alice</span><i data-audio-level="2"></i></div>
      ${off('Turn on microphone')}${off('Turn on camera')}<button>Leave call</button>`,
    others: ['Alice'],
    removed: says('You’ve been removed from the meeting'),
    ended: says('The meeting has ended'),
    denied: says('Someone in the call denied your request to join'),
    password: null,
  },
  zoom: {
    wayIn: [
      '<a href="#" role="link" onclick="top.next()">Join from your browser</a>',
      '<label>Your Name <input></label>' + button('Join'),
    ],
    lobby: says('The host will let you in soon'),
    call: `<div class="video-avatar__avatar"><span class="video-avatar__avatar-name">Alice</span></div>
      ${off('Join Audio')}${off('Unmute')}${off('Start Video')}<button>Leave</button>`,
    others: ['Alice'],
    removed: says('You have been removed'),
    ended: says('This meeting has been ended by host'),
    denied: says('Please sign in to join'),
    password: name('placeholder="Meeting Passcode"'),
  },
  microsoft_teams: {
    wayIn: [button('Continue on this browser'), name('placeholder="Type your name"') + button('Join now')],
    lobby: says('Someone will let you in shortly'),
    call: `<div data-stream-type="Video" data-tid="Alice"></div><div data-stream-type="Video" data-tid="Elena (AI)"></div>
      ${off('Unmute mic')}${off('Turn camera on')}<button id="hangup-button">Leave</button>`,
    others: ['Alice'],
    removed: says('You’ve been removed from this meeting'),
    ended: says('The meeting has ended'),
    denied: says('Sorry, but you were denied access to the meeting'),
    password: null,
  },
  jitsi: {
    wayIn: [name('placeholder="Enter your name"') + button('Join meeting')],
    lobby: says('Asking to join meeting…'),
    call: `${off('Unmute microphone')}${off('Start camera')}<button>Leave the meeting</button>`,
    others: null,
    removed: says('Alice kicked you out of the meeting'),
    ended: says('The meeting has been terminated'),
    denied: says('Your join request was rejected.'),
    password: says('Password required'),
  },
};
