package dev.fusebox.gateway.session;

import dev.fusebox.client.CallFailure;

/// A listener for begin and end of client sessions, and for calls that are rejected before a server is chosen.
/// Thread-safe; called on the path of calls, so nothing here may block or throw.
public interface SessionListener {
    /// Ignores all events.
    SessionListener NONE = new SessionListener() {
        @Override
        public void opened(SessionType type) {
            // Ignored.
        }

        @Override
        public void ended(SessionType type) {
            // Ignored.
        }

        @Override
        public void refused(String method, CallFailure why) {
            // Ignored.
        }
    };

    /// A session was opened. It ends once.
    void opened(SessionType type);

    /// A session that was opened has ended.
    void ended(SessionType type);

    /// A request was rejected because of a limit on all requests of a session or of a front end.
    void refused(String method, CallFailure why);
}
