package dev.fusebox.search;

/// A searchable document. Immutable.
///
/// @param name its name, of one word or several
/// @param group the group it belongs to
/// @param description its purpose, in sentences
/// @param details further names and sentences with a lower weight
/// @param effect whether using it changes something
public record Document(String name, String group, String description, String details, Effect effect) {
    /// What a document says of its use.
    public enum Effect {
        READS,
        CHANGES,
        UNKNOWN
    }

    public Document(String name, String group, String description, String details) {
        this(name, group, description, details, Effect.UNKNOWN);
    }
}
