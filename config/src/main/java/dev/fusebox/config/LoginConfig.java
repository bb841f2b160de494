package dev.fusebox.config;

/// How logins are requested. Immutable.
///
/// @param ask whether a call that needs a login may ask for it
public record LoginConfig(Ask ask) {
    /// Whether clients are asked.
    public boolean isAsking() {
        return ask == Ask.ELICITATION;
    }

    /// How a call that needs a login asks for it.
    public enum Ask {
        /// By a link that the client shows to its user, where the client supports that.
        ELICITATION,
        /// It fails, and names the command to run.
        NEVER
    }
}
