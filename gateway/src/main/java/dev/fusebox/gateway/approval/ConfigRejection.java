package dev.fusebox.gateway.approval;

/// The reason why a configuration file is not used, with its remedy. Immutable.
///
/// @param cause a predicate of which the file is the subject: "has changed since it was allowed"
/// @param remedy a command and its effect
public record ConfigRejection(String cause, String remedy) {
    @Override
    public String toString() {
        return cause + "; " + remedy;
    }
}
