#!/bin/sh
# Becomes Chromium for one meeting. It is given:
#   MEETING_CHROMIUM  the program
#   MEETING_FOLDER    what it writes
#   MEETING_USER      number of the user that it runs as; empty: the user of the service
# No core is dumped, since it would hold what people said. The kernel ends it when its parent was killed, and before
# any other program when the machine runs short of memory.
set -e
{ echo 1000 > /proc/self/oom_score_adj || true; } 2> /dev/null
ulimit -c 0
set -- "$MEETING_CHROMIUM" "$@"
if [ -n "$MEETING_USER" ]; then
  chown -R "$MEETING_USER:$MEETING_USER" "$MEETING_FOLDER"
  set -- setpriv --reuid="$MEETING_USER" --regid="$MEETING_USER" --clear-groups --pdeathsig KILL "$@"
elif command -v setpriv > /dev/null; then
  set -- setpriv --pdeathsig KILL "$@"
fi
unset MEETING_CHROMIUM MEETING_FOLDER MEETING_USER
exec "$@"
