package dev.fusebox.gateway.session;

import dev.fusebox.client.CallFailure;

/// Is told when client sessions begin and end, and of calls that are refused before a server is chosen.
/// Thread-safe; called on the path of calls, so nothing here may block or throw.
public interface SessionListener {
    /// Is not interested.
    SessionListener NONE = new SessionListener() {
        @Override
        public void opened(SessionType type) {
            // Nothing is counted.
        }

        @Override
        public void ended(SessionType type) {
            // Nothing is counted.
        }

        @Override
        public void refused(String method, CallFailure why) {
            // Nothing is counted.
        }
    };

    /// A session was opened. It ends once.
    void opened(SessionType type);

    /// A session that was opened has ended.
    void ended(SessionType type);

    /// A request was refused because of a limit on all requests of a session or of a front end.
    void refused(String method, CallFailure why);
}
