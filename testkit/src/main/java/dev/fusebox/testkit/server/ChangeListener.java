package dev.fusebox.testkit.server;

/// Whoever wants to know what changes in a server. Thread-safe.
interface ChangeListener {
    /// Something has changed.
    ///
    /// @param method of the notification that says so
    void changed(String method);

    /// A resource has changed.
    void updated(String uri);

    /// The server tells nothing any more.
    void end();
}
