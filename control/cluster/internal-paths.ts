/** The route on which a node ends a session for another one. */
export const STOP_PATH = '/internal/stop';
/** The route on which a node is told that there are sessions for it to take. */
export const LOOK_PATH = '/internal/look';
/** The route on which a node is told that a session will be handed over to it. */
export const EXPECT_PATH = '/internal/expect';
