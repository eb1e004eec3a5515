import { isHostOrBelow } from './provider.ts';

/** Whose meetings cannot be joined: they are named, so that nobody thinks that the link is wrong. */
const OTHERS: readonly (readonly [name: string, ...domains: string[]])[] = [
  ['Webex', 'webex.com', 'webex.com.cn'],
  ['Whereby', 'whereby.com', 'appear.in'],
  ['GoTo Meeting', 'meet.goto.com', 'gotomeeting.com', 'gotomeet.me'],
  ['Amazon Chime', 'chime.aws'],
  ['Skype', 'skype.com'],
  ['BlueJeans', 'bluejeans.com'],
  ['Discord', 'discord.gg', 'discord.com'],
  ['Slack', 'slack.com'],
  ['RingCentral', 'ringcentral.com'],
  ['FaceTime', 'facetime.apple.com', 'facetime.com'],
  ['Proton Meet', 'meet.proton.me'],
  ['Skype for Business', 'meet.lync.com', 'join.microsoft.com'],
  ['DingTalk', 'dingtalk.com'],
  ['Feishu or Lark', 'feishu.cn', 'larksuite.com'],
  ['Tencent Meeting', 'meeting.tencent.com', 'voovmeeting.com'],
  ['Daily', 'daily.co'],
  ['Gather', 'gather.town'],
  ['8x8', '8x8.vc'],
  ['WhatsApp', 'call.whatsapp.com'],
  ['Google Chat', 'hangouts.google.com', 'chat.google.com'],
  ['Zoho Meeting', 'meet.zoho.com', 'meet.zoho.eu', 'meeting.zoho.com'],
  ['Yandex Telemost', 'telemost.yandex.ru', 'telemost.360.yandex.ru'],
  ['VK Calls', 'vk.com'],
  ['Riverside', 'riverside.fm'],
  ['Around', 'around.co'],
  ['Vonage', 'meetings.vonage.com'],
  ['Lifesize', 'lifesizecloud.com'],
  ['Butter', 'butter.us'],
];
/** Where meetings are planned. */
const CALENDARS = ['calendar.google.com', 'calendar.app.google', 'calendly.com', 'cal.com', 'outlook.office.com'];

/** Which hide where they lead. */
const MAIL_FILTERS = ['mimecast.com', 'mimecastprotect.com', 'inky.com'];
const SHORT = ['bit.ly', 'tinyurl.com', 't.co', 'lnkd.in', 'rebrand.ly', 'is.gd', 't.ly'];

/** @returns what to say of a link of another service; null where it is none. */
export function otherService(hostname: string, joinable: string): string | null {
  const other = OTHERS.find(([, ...domains]) => domains.some((domain) => isHostOrBelow(hostname, domain)));
  if (other !== undefined) return `Meetings of ${other[0]} cannot be joined, only those of ${joinable}.`;
  if ([...MAIL_FILTERS, ...SHORT].some((domain) => isHostOrBelow(hostname, domain)))
    return `This address hides where it leads. Open it, and paste the link of the meeting (${joinable}).`;
  if (!CALENDARS.some((domain) => isHostOrBelow(hostname, domain))) return null;
  return `This is the address of a calendar. Paste the link of the meeting itself (${joinable}), which stands in the appointment.`;
}
